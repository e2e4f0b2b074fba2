import type { Connection } from '../database/connection.ts'
import type { Demo } from '../demo/demo.ts'

/** What the primary process sends to a worker when it starts it. */
export interface Start {
  kind: 'start'
  /**
   * The connection to the embedded database that the primary process has opened, without time limits. Null for an external database,
   * whose settings each worker reads, because messages cannot contain certificates.
   */
  embedded: Connection | null
  /** Whether to listen before the service is ready, so that requests get a response while no worker is. */
  listensAtOnce: boolean
  /** Whether this worker processes jobs. One worker per machine is enough: the database distributes the jobs. */
  runsJobs: boolean
  /** Identifier of the worker, a new one at each start. */
  worker: string
  /** The port of the other workers; undefined if there are none yet. */
  port: number | undefined
}

/** With `isRestart`, another worker has taken over, and clients get time to send one more request on an idle connection. */
export interface Stop {
  kind: 'stop'
  isRestart: boolean
}

/** `migrated`: all migrations are applied. */
export type ToWorker = Start | { kind: 'migrated' } | Stop

/** What a worker sends to the primary process before it ends if it cannot start. */
export interface Failed {
  kind: 'failed'
  /** The reason, as printed. */
  reason: string
  /** Whether the database cannot be reached, so that a later start may succeed. */
  isUnavailable: boolean
}

/** What a worker sends to the primary process when it can serve requests. */
export interface Ready {
  kind: 'ready'
  port: number
  /** The address it listens on, e.g. `http://127.0.0.1:3000`. */
  address: string
  hasMailbox: boolean
  /** Set by the worker that has created the demo team. */
  demo: Demo | undefined
}
