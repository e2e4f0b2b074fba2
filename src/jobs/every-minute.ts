import { isOutage } from '../../prisma/connection/availability.ts'
import type { Database } from '../../prisma/connection/database.ts'
import { statement } from '../../prisma/statement/statement.ts'

/** Work that the processes of the service repeat in the background. */
export interface PeriodicWork {
  /** Starts to run the work every minute unless another process does. The start is random, because processes often start together. */
  start(): void
  /** Runs the work now if no process ran it in the last minute; otherwise returns null. */
  runIfDue(): Promise<number | null>
  /** Runs the work and returns the sum of the results of its tasks. A run that is in progress is not started a second time. */
  run(): Promise<number>
  /** Stops after the current call of a task. */
  close(): Promise<void>
}

export interface PeriodicWorkParts {
  /** Name of the work, which is the same in all processes. */
  name: string
  database: Database
  report(error: unknown): void
}

const minuteMilliseconds = 60_000

// Claims the current minute for one process, by the clock of the database. Unlike a lock that a process holds, a claim needs no release
// when a process ends, and it works through a connection pooler.
// The interval is less than a minute, so that a process whose timer fires early does not skip a minute. The clock counts as set back only
// by more than seconds: of two simultaneous claims, the one that waits for the other may have the earlier now().
const claimMinute = statement<{ name: string }, [name: string]>(
  'claim_periodic_work',
  `INSERT INTO periodic_work AS w (name, started_at) VALUES ($1, now())
   ON CONFLICT (name) DO UPDATE SET started_at = excluded.started_at
     WHERE w.started_at NOT BETWEEN excluded.started_at - interval '55 seconds' AND excluded.started_at + interval '5 seconds'
   RETURNING name`,
)

/**
 * Runs tasks once a minute for all processes that share the database. A task does a limited part of its work and returns its amount. It is
 * repeated until it returns 0. An error is reported and leaves the rest of the task to the next minute.
 */
export function everyMinute({ name, database, report }: PeriodicWorkParts, ...tasks: readonly (() => Promise<number>)[]): PeriodicWork {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<number> | null = null
  let claiming: Promise<boolean> | null = null
  let isClosing = false

  async function reportFailure<Result>(work: Promise<Result>, otherwise: Result): Promise<Result> {
    try {
      return await work
    } catch (error) {
      // Requests already report an unavailable database.
      if (!isOutage(error)) report(error)
      return otherwise
    }
  }
  async function runTasks(): Promise<number> {
    let total = 0
    for (const task of tasks) {
      let count: number
      do {
        if (isClosing) return total
        count = await reportFailure(task(), 0)
        total += count
      } while (count > 0)
    }
    return total
  }
  const run = () => (running ??= runTasks().finally(() => (running = null)))
  const claim = async () => (await claimMinute(database.pool, name)).length > 0
  async function runIfDue(): Promise<number | null> {
    claiming = reportFailure(claim(), false)
    return (await claiming) && !isClosing ? run() : null
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
      await claiming
      await running
    },
  }
}
