import pg from 'pg'
import { isUnavailable } from '../../prisma/availability.ts'
import { statement } from '../../prisma/statement.ts'
import type { Context } from '../../schema/core/context.ts'
import type { Changes, Subscription } from '../../schema/core/cancellation/subscription.ts'

// As long as a process renews it, changes of a team notify the processes. Ordered, so that two processes cannot deadlock.
const announce = statement<object, [teamIds: readonly string[]]>(
  'announce_team_event_streams',
  `INSERT INTO team_event_streams (team_id, open_until) SELECT id, now() + interval '1 minute' FROM unnest($1::uuid[]) id ORDER BY id
   ON CONFLICT (team_id) DO UPDATE SET open_until = excluded.open_until`,
)

interface Parts {
  pool: pg.Pool
  /** Time between two reports without a notification. */
  intervalMilliseconds: number
  report(error: unknown): void
}

/**
 * Reports changes of teams that any process has committed, by PostgreSQL's LISTEN and NOTIFY. A notification only wakes a stream,
 * which reads the events from the table; if it is lost, the stream wakes at the next interval. While a stream is open, a process
 * has one connection beside those of its pool.
 */
export function createTeamChanges({ pool, intervalMilliseconds, report }: Parts) {
  const streams = new Map<string, Set<() => void>>()
  let connection: Promise<pg.Client> | undefined
  let timer: NodeJS.Timeout | undefined

  const wake = (teamId: string) => streams.get(teamId)?.forEach((ring) => ring())

  async function listen(): Promise<pg.Client> {
    const client = new pg.Client(pool.options)
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => wake(payload))
    await client.connect()
    await client.query('LISTEN team_events')
    return client
  }

  async function connect(): Promise<void> {
    try {
      await announce(pool, [...streams.keys()])
      if (connection) return
      const listening = listen()
      connection = listening
      const client = await listening
      client.once('end', () => {
        if (connection !== listening) return
        connection = undefined
        void tick()
      })
    } catch (error) {
      connection = undefined
      if (!isUnavailable(error)) report(error)
    }
  }

  async function tick(): Promise<void> {
    await connect()
    for (const teamId of streams.keys()) wake(teamId)
  }

  function leave(teamId: string, ring: () => void): void {
    const rings = streams.get(teamId)
    rings?.delete(ring)
    if (rings?.size === 0) streams.delete(teamId)
    ring()
    if (streams.size === 0) close()
  }

  function close(): void {
    clearInterval(timer)
    timer = undefined
    const closing = connection
    connection = undefined
    closing?.then((client) => client.end()).catch(() => {})
  }

  const watchTeam: Subscription<Context>['watchTeam'] = async (teamId, signal): Promise<Changes> => {
    let change = Promise.withResolvers<void>()
    const ring = () => change.resolve()
    streams.set(teamId, (streams.get(teamId) ?? new Set()).add(ring))
    signal.addEventListener('abort', () => leave(teamId, ring), { once: true })
    timer ??= setInterval(() => void tick(), intervalMilliseconds)
    await connect()
    if (signal.aborted) leave(teamId, ring)
    return {
      async next() {
        await change.promise
        if (!signal.aborted) change = Promise.withResolvers<void>()
      },
    }
  }
  return { watchTeam, close }
}
