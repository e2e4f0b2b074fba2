import type pg from 'pg'
import type { Db, JobResult, JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { createStatementNames } from '../../prisma/connection/database.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { defaultTiming, openQueues } from './queue.ts'
import type { QueueTiming } from './queue.ts'

/** A kind of job: its queue and its handler. */
export interface JobKind<Payload extends object> {
  /** Name of the queue, which is also stored with every job. */
  queue: string
  /** Indexes for lists of its jobs, by name: the text that follows the table in CREATE INDEX. */
  indexes?: Readonly<Record<string, string>>
  /** Number of jobs that one process works on at the same time. */
  concurrency: number
  /** Returns the result of one attempt and never throws. A `failed` job is retried, a `deadletter` job is not. */
  handle(job: JobWithMetadata<Payload>): Promise<JobResult<object>>
  /** Releases resources after the last job. */
  close?(): void
}

/** Access to the queue of one kind. */
export interface JobQueue<Payload extends object> {
  /** Adds a job within the transaction. It runs if, and only if, the transaction commits. */
  add(transaction: Transaction, payload: Payload): Promise<void>
  /** Resolves once the tables of the queue exist. */
  open(): Promise<void>
}

export interface Outbox {
  /** Registers a kind of job. All kinds must be registered before the first job is added. */
  register<Payload extends object>(kind: JobKind<Payload>): JobQueue<Payload>
  /** Opens the queues and, by default, works on jobs. A command does neither: it only adds and lists jobs. */
  start(options?: { runsJobs: boolean }): Promise<void>
  /** Waits up to `seconds` for active jobs and closes. Unfinished jobs stay in the outbox. */
  stop(seconds?: number): Promise<void>
}

export interface OutboxParts {
  /** Configuration of the database connection. The outbox opens a small pool of its own. */
  poolConfig: pg.PoolConfig
  log: Logger
  timing?: Partial<QueueTiming> | undefined
}

/**
 * The transactional outbox: a job is stored in the database together with the change that causes it, and runs after the
 * commit. It connects when it is first used.
 */
export function createOutbox({ poolConfig, log, timing: overrides }: OutboxParts): Outbox {
  const timing = { ...defaultTiming, ...overrides }
  const kinds: JobKind<object>[] = []

  let opening: Promise<PgBoss> | undefined
  function open(isWorker: boolean): Promise<PgBoss> {
    const queues = kinds.map(({ queue }) => queue)
    const indexes = Object.assign({}, ...kinds.map((kind) => kind.indexes))
    opening ??= openQueues({ poolConfig, queues, indexes, isWorker, timing, log }).catch((error: unknown) => {
      // The next call tries again.
      opening = undefined
      throw error
    })
    return opening
  }

  return {
    register(kind) {
      if (opening) throw new Error(`the outbox is already open: ${kind.queue} is registered too late`)
      kinds.push(kind)
      return {
        async add(transaction, payload) {
          const boss = await open(false)
          await boss.send(kind.queue, payload, { db: deferredIn(transaction, kind.queue) })
        },
        open: async () => void (await open(false)),
      }
    },
    async start({ runsJobs } = { runsJobs: true }) {
      if (opening) throw new Error('the outbox is already open')
      const boss = await open(runsJobs)
      if (!runsJobs) return
      for (const kind of kinds) await work(boss, kind, timing)
    },
    async stop(seconds = 30) {
      // A failure to open was already reported to the caller that caused it.
      const boss = await opening?.catch(() => undefined)
      opening = undefined
      await boss?.stop({ graceful: true, timeout: seconds * 1000 })
      for (const { close } of kinds) close?.()
    },
  }
}

/**
 * Lets pg-boss add a job in a transaction without waiting for the response, so that the job costs no round trip. The response would show
 * that the queue does not exist and no job was added. Instead, a second statement then fails, and with it the transaction.
 */
function deferredIn(transaction: Transaction, queue: string): Db {
  const defer = (text: string, values: unknown[]) =>
    transaction.defer(transaction.query({ name: statementName({ sql: text }), text, values }))
  return {
    async executeSql(text, values = []) {
      defer(text, values)
      defer('SELECT require_job_queue($1)', [queue])
      return { rows: [{ id: '' }] }
    },
  }
}

const statementName = createStatementNames()

async function work(boss: PgBoss, { queue, concurrency, handle }: JobKind<object>, timing: QueueTiming): Promise<void> {
  const options = {
    batchSize: concurrency,
    burstWhenBatchFull: true,
    includeMetadata: true,
    perJobResults: true,
    pollingIntervalSeconds: Math.min(2, timing.pollSeconds),
    notifyPollingIntervalSeconds: timing.pollSeconds,
  } as const
  await boss.work<object, unknown, typeof options>(queue, options, (jobs) => Promise.all(jobs.map(handle)))
}
