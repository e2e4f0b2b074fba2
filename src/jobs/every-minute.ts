import { isUnavailable } from '../../prisma/availability.ts'
import type { Database } from '../../prisma/client.ts'
import { statement } from '../../prisma/statement.ts'

/** Work that the processes of the service repeat in the background. */
export interface PeriodicWork<Result> {
  /** Works every minute, if no other process does. The first attempt is after a random part of a minute, since processes are often started together. */
  start(): void
  /** Works now if no process has in the last minute; returns null otherwise. */
  runIfDue(): Promise<Result | null>
  /** Works now. A run that is in progress is not started a second time. */
  run(): Promise<Result>
  /** Stops after the current run. */
  close(): Promise<void>
}

export interface PeriodicWorkParts {
  /** Names the work for all processes. */
  name: string
  database: Database
  report(error: unknown): void
}

const minuteMilliseconds = 60_000

// Claims a minute for one of all processes, by the clock of the database. Not a lock that a process keeps: the next minute belongs to
// whichever process comes first, so nothing has to notice that a process is gone, and it works through a connection pooler.
// Shorter than a minute, so that a process which is a little early does not skip one. The clock may have been set back.
const claimMinute = statement<{ name: string }, [name: string]>(
  'claim_periodic_work',
  `INSERT INTO periodic_work AS w (name, started_at) VALUES ($1, now())
   ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at
     WHERE w.started_at NOT BETWEEN excluded.started_at - interval '55 seconds' AND excluded.started_at
   RETURNING name`,
)

/**
 * Repeats work once a minute for all processes that share the database. `work` never rejects, and returns early when `isClosing`
 * becomes true.
 */
export function everyMinute<Result>(
  { name, database, report }: PeriodicWorkParts,
  work: (isClosing: () => boolean) => Promise<Result>,
): PeriodicWork<Result> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<Result> | null = null
  let claiming: Promise<unknown> | null = null
  let isClosing = false

  const run = () => (running ??= work(() => isClosing).finally(() => (running = null)))
  async function runIfDue(): Promise<Result | null> {
    try {
      const claimed = claimMinute(database.pool, name)
      claiming = claimed
      if ((await claimed).length === 0 || isClosing) return null
    } catch (error) {
      // Requests report an unavailable database already.
      if (!isUnavailable(error)) report(error)
      return null
    }
    return run()
  }
  function schedule(milliseconds: number): void {
    if (isClosing) return
    timer = setTimeout(() => void runIfDue().then(() => schedule(minuteMilliseconds)), milliseconds).unref()
  }

  return {
    start: () => schedule(Math.random() * minuteMilliseconds),
    run,
    runIfDue,
    async close() {
      isClosing = true
      clearTimeout(timer)
      await claiming?.catch(() => {})
      await running
    },
  }
}
