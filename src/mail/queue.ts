import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'

/** Name of the queue, and the schema that pg-boss keeps its tables in. */
export const queueName = 'mail'
export const queueSchema = 'pgboss'

/** How often and how long. What a service runs with are the defaults; tests are shorter of breath. */
export interface Pace {
  /** Pause after the first failure, in seconds; each further one is about twice as long. */
  firstPauseSeconds: number
  longestPauseSeconds: number
  /** Attempts after the first. */
  retries: number
  /** A worker is woken when a mail is put in; this often it looks by itself, for pauses that have ended. */
  pollSeconds: number
  /** A mail taken up for longer was abandoned, by a process that died: another takes it. */
  abandonedSeconds: number
  /** How often abandoned and outdated entries are looked for. */
  superviseSeconds: number
}

/** 15 s, 30 s, 1 min … up to an hour between attempts, for about three days. */
export const steadyPace: Pace = {
  firstPauseSeconds: 15,
  longestPauseSeconds: 3600,
  retries: 80,
  pollSeconds: 30,
  abandonedSeconds: 120,
  superviseSeconds: 60,
}

const day = 86_400

/**
 * Opens the queue on a small pool of its own, making or migrating its tables where need be; several processes may do
 * so at once. Only a `worker` listens and supervises: who merely puts mails in asks nothing of the database when idle.
 */
export async function openQueue(poolConfig: pg.PoolConfig, worker: boolean, pace: Pace, log: Logger): Promise<PgBoss> {
  // Making the tables may take longer than a request may.
  const connections: pg.PoolConfig = {
    ...poolConfig,
    max: 3,
    application_name: 'team-account-mail',
    statement_timeout: 30_000,
    query_timeout: 35_000,
  }
  const boss = new PgBoss({
    ...connections,
    schema: queueSchema,
    schedule: false,
    supervise: worker,
    superviseIntervalSeconds: pace.superviseSeconds,
    monitorIntervalSeconds: pace.superviseSeconds,
    // Jobs that wait for other jobs, which mails never do, would be looked for every 5 seconds.
    flowIntervalSeconds: 3600,
    useListenNotify: worker,
    notifyHeartbeatIntervalMs: 60_000,
  })
  boss.on('error', (error) => log.error({ err: error }, 'outbox: fault'))
  boss.on('warning', ({ message, data }) => log.warn({ data }, `outbox: ${message}`))
  try {
    await boss.start()
    const rules = {
      retryLimit: pace.retries,
      retryDelay: pace.firstPauseSeconds,
      retryDelayMax: pace.longestPauseSeconds,
      retryBackoff: true,
      expireInSeconds: pace.abandonedSeconds,
      // Longer than any invitation lasts; what was sent or given up is shown to operators for two weeks.
      retentionSeconds: 31 * day,
      deleteAfterSeconds: 14 * day,
      notify: true,
    }
    await boss.createQueue(queueName, rules)
    await boss.updateQueue(queueName, rules)
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
  return boss
}
