import { randomInt } from 'node:crypto'
import pg from 'pg'
import { advisoryLocks } from '../../../prisma/advisory-locks.ts'
import { statement } from '../../../prisma/statement.ts'

// Which processes are alive, as the database knows it: each holds an advisory lock of its own number on one session, and
// loses it with its life, however it ends.
const presenceLock = advisoryLocks.presence

const isFree = statement<{ free: boolean }, [processId: number]>(
  'is_process_gone',
  // Shared, so that two who ask at once do not take each other for the process.
  `SELECT pg_try_advisory_xact_lock_shared(${presenceLock}, $1) AS free`,
)

// A session that only holds a lock is idle for good, which a server may be set to end.
const takeNumber = `SELECT set_config('idle_session_timeout', '0', false), pg_try_advisory_lock(${presenceLock}, $1) AS taken`

// A server that does not answer; together with the time to connect less than a request may wait.
const silenceMilliseconds = 900

export interface Presence {
  /** The number of this process, locked. A lost session is replaced, with the same number. */
  id(): Promise<number>
  /** Whether the process of this number has ended; the server takes some milliseconds to notice. This one never has. */
  isGone(processId: number): Promise<boolean>
  /** Ends the session: from then on this process counts as gone. */
  close(): Promise<void>
}

/** Says that this process is alive, on a connection beside the pool's, and whether others are. */
export function createPresence(pool: pg.Pool): Presence {
  let number = randomNumber()
  const own = new Set<number>()
  let holding: Promise<pg.Client> | null = null

  function hold(): Promise<pg.Client> {
    // The options as they are: in a copy the password would be missing, which pg does not enumerate.
    const session = new pg.Client(pool.options)
    const held = take(session)
    const forget = () => {
      if (holding === held) holding = null
    }
    // A connection that breaks ends as well; unheard, its event would end the process.
    session.on('error', () => {})
    session.on('end', forget)
    void held.catch(forget)
    return held
  }

  async function take(session: pg.Client): Promise<pg.Client> {
    await session.connect()
    try {
      // Not free where a connection broke that the server believes in still. Then another one, since to wait for that could
      // take hours: what the first stands for counts as alive until the server notices, and does no harm.
      while (!(await isTaken(session))) number = randomNumber()
    } catch (error) {
      await session.end()
      throw error
    }
    own.add(number)
    return session
  }

  async function isTaken(session: pg.Client): Promise<boolean> {
    const question = { text: takeNumber, values: [number], query_timeout: silenceMilliseconds }
    const { rows } = await session.query<{ taken: boolean }>(question)
    return rows[0]?.taken === true
  }

  return {
    async id() {
      await (holding ??= hold())
      return number
    },
    async isGone(processId) {
      if (own.has(processId)) return false
      const [row] = await isFree(pool, processId)
      return row?.free === true
    },
    async close() {
      const session = await holding?.catch(() => null)
      await session?.end()
    },
  }
}

const randomNumber = () => randomInt(2 ** 31)
