import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { isUnavailable, unavailableReason } from '../../prisma/connection/availability.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'

/** The schema in which pg-boss stores its tables. */
export const queueSchema = 'pgboss'

/** Intervals and limits of all queues. The service uses the defaults; tests use shorter intervals. */
export interface QueueTiming {
  /** Delay after the first failure. Each further delay is about twice as long, up to the maximum. */
  retryDelaySeconds: number
  maxRetryDelaySeconds: number
  /** Number of attempts after the first. */
  retries: number
  /** Interval at which a worker looks for jobs whose delay has ended. A new job also wakes a worker at once. */
  pollSeconds: number
  /** Time after which an active job counts as abandoned by a process that crashed. Another worker then takes it. */
  abandonedSeconds: number
  /** Interval at which pg-boss looks for abandoned and expired jobs. */
  superviseSeconds: number
}

/** The retries are after 15 s, 30 s, 1 min and so on up to an hour, for about three days. */
export const defaultTiming: QueueTiming = {
  retryDelaySeconds: 15,
  maxRetryDelaySeconds: 3600,
  retries: 80,
  pollSeconds: 30,
  abandonedSeconds: 120,
  superviseSeconds: 60,
}

const missingQueues = statement<{ name: string }, [names: readonly string[]]>(
  'missing_queues',
  `SELECT name FROM unnest($1::text[]) AS name WHERE name NOT IN (SELECT name FROM ${queueSchema}.queue)`,
)

/** Rejects if a queue does not exist, so that adding a job to it would fail. */
export async function checkQueues(pool: StatementPool, names: readonly string[]): Promise<void> {
  const missing = await missingQueues(pool, names)
  if (missing.length > 0) throw new Error(`missing queues: ${missing.map(({ name }) => name).join(', ')}`)
}

export interface QueueOptions {
  poolConfig: pg.PoolConfig
  /** Names of the queues. */
  queues: readonly string[]
  /** Indexes on the table of jobs, by name. */
  indexes?: Readonly<Record<string, string>>
  /** True if this process works on jobs. One that only adds jobs runs no background queries. */
  isWorker: boolean
  timing: QueueTiming
  log: Logger
}

const daySeconds = 86_400

/** Logs an error of pg-boss. An unavailable database gives one line without a stack, because all timers then fail alike. */
function reportError(log: Logger, error: unknown): void {
  if (isUnavailable(error)) log.error(`job queue error: the database is unavailable: ${unavailableReason(error)}`)
  else log.error({ err: error }, 'job queue error')
}

/**
 * Builds SQL that creates an index on the table of pg-boss unless it exists, for several processes at the same time. The table is small: jobs
 * are deleted after two weeks. CREATE INDEX IF NOT EXISTS would wait for all changes of the table each time.
 */
const createIndex = (name: string, definition: string) => `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('${queueSchema}.${name}'));
  IF to_regclass('${queueSchema}.${name}') IS NULL THEN CREATE INDEX ${name} ON ${queueSchema}.job_common ${definition}; END IF;
END $$`

/**
 * Opens the queues on a small connection pool of their own and creates or migrates their tables. Several processes may
 * do this at the same time.
 */
export async function openQueues({ poolConfig, queues, indexes = {}, isWorker, timing, log }: QueueOptions): Promise<PgBoss> {
  const connections: pg.PoolConfig = {
    ...poolConfig,
    max: 3,
    application_name: 'team-account-jobs',
    // Creating the tables may take longer than the limit for a request.
    statement_timeout: 30_000,
    query_timeout: 35_000,
  }
  const boss = new PgBoss({
    ...connections,
    schema: queueSchema,
    schedule: false,
    supervise: isWorker,
    superviseIntervalSeconds: timing.superviseSeconds,
    monitorIntervalSeconds: timing.superviseSeconds,
    // By default, pg-boss looks every 5 seconds for jobs that depend on other jobs. No job here does.
    flowIntervalSeconds: 3600,
    useListenNotify: isWorker,
    notifyHeartbeatIntervalMs: 60_000,
  })
  boss.on('error', (error) => reportError(log, error))
  boss.on('warning', ({ message, data }) => log.warn({ data }, `job queue warning: ${message}`))
  try {
    await boss.start()
    const rules = {
      retryLimit: timing.retries,
      retryDelay: timing.retryDelaySeconds,
      retryDelayMax: timing.maxRetryDelaySeconds,
      retryBackoff: true,
      expireInSeconds: timing.abandonedSeconds,
      // The time exceeds the longest lifetime of an invitation (30 days).
      retentionSeconds: 31 * daySeconds,
      // Operators can list finished jobs for two weeks.
      deleteAfterSeconds: 14 * daySeconds,
      notify: true,
    }
    for (const queue of queues) {
      await boss.createQueue(queue, rules)
      await boss.updateQueue(queue, rules)
    }
    for (const [name, definition] of Object.entries(indexes)) await boss.getDb().executeSql(createIndex(name, definition))
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  return boss
}
