import { isOutage } from '../../prisma/connection/availability.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'

const readClock = statement<{ milliseconds: number }, []>(
  'read_clock',
  `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS milliseconds`,
)

const intervalMilliseconds = 10_000

export interface DatabaseClock {
  now(): Date
  close(): void
}

/**
 * The database's clock, which all processes share because their own clocks can differ. It is read every 10 seconds. In between it advances
 * with the monotonic clock of the process, so that setting the clock of the machine does not affect it.
 */
export async function followDatabaseClock(pool: StatementPool, report: (error: unknown) => void): Promise<DatabaseClock> {
  /** Time of the database when the monotonic clock was 0. */
  let origin = await readOrigin(pool)
  const timer = setInterval(() => {
    readOrigin(pool, origin).then(
      (read) => (origin = read),
      // While the database is unavailable, the last reading applies.
      (error: unknown) => isOutage(error) || report(error),
    )
  }, intervalMilliseconds).unref()
  return { now: () => new Date(origin + performance.now()), close: () => clearInterval(timer) }
}

/**
 * Reads the database's clock. The database reads it at some time between the request and the response. An earlier origin that is possible
 * for such a time stays unchanged, so that a slow response does not move the clock.
 */
async function readOrigin(pool: StatementPool, previous?: number): Promise<number> {
  const requestedAt = performance.now()
  const [row] = await readClock(pool)
  if (!row) throw new Error('the statement that reads the clock returned no row')
  const earliest = row.milliseconds - performance.now()
  const latest = row.milliseconds - requestedAt
  return previous === undefined ? (earliest + latest) / 2 : Math.min(Math.max(previous, earliest), latest)
}
