import { isOutage } from '../../prisma/connection/availability.ts'
import type { Database } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'

/** Work that the processes of the service repeat in the background. */
export interface PeriodicWork<Result> {
  /** Runs the work every minute unless another process does. Starts after a random part of a minute, because processes often start together. */
  start(): void
  /** Runs the work now if no process ran it in the last minute; otherwise returns null. */
  runIfDue(): Promise<Result | null>
  /** Works now. A run that is in progress is not started a second time. Null if it fails. */
  run(): Promise<Result | null>
  /** Stops after the current run. */
  close(): Promise<void>
}

export interface PeriodicWorkParts {
  /** The name of the work, which is the same in all processes. */
  name: string
  database: Database
  report(error: unknown): void
}

const minuteMilliseconds = 60_000

// Claims the current minute for one process, by the clock of the database. Unlike a lock that a process holds, a claim needs no release
// when a process ends, and it works through a connection pooler.
// Less than a minute, so that a process whose timer fires early does not skip a minute. The clock may have been set back:
// by more than seconds, since of two claims at once, the one that waits for the other may have the earlier now().
const claimMinute = statement<{ name: string }, [name: string]>(
  'claim_periodic_work',
  `INSERT INTO periodic_work AS w (name, started_at) VALUES ($1, now())
   ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at
     WHERE w.started_at NOT BETWEEN excluded.started_at - interval '55 seconds' AND excluded.started_at + interval '5 seconds'
   RETURNING name`,
)

/**
 * Repeats work once a minute for all processes that share the database. An error is reported and does not end it. `work` returns early
 * when `isClosing` becomes true.
 */
export function everyMinute<Result>(
  { name, database, report }: PeriodicWorkParts,
  work: (isClosing: () => boolean) => Promise<Result>,
): PeriodicWork<Result> {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<Result | null> | null = null
  let claiming: Promise<unknown> | null = null
  let isClosing = false

  function failed(error: unknown): null {
    // Requests report an unavailable database already.
    if (!isOutage(error)) report(error)
    return null
  }
  const run = () =>
    (running ??= work(() => isClosing)
      .catch(failed)
      .finally(() => (running = null)))
  async function runIfDue(): Promise<Result | null> {
    try {
      const claimed = claimMinute(database.pool, name)
      claiming = claimed
      if ((await claimed).length === 0 || isClosing) return null
    } catch (error) {
      return failed(error)
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
