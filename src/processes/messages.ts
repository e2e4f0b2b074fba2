import type { Connection } from '../database/connection.ts'
import type { Demo } from '../demo/demo.ts'

/** Message of the primary process to a worker at its start. */
export interface Start {
  kind: 'start'
  /**
   * Connection to the embedded database that the primary process has opened, without time limits. Null for an external database, whose
   * settings each worker reads, because messages cannot contain certificates.
   */
  embedded: Connection | null
  /** True to listen before the service is ready, so that requests get a response while no worker is. */
  listensAtOnce: boolean
  /** True if this worker processes jobs. One worker per machine is enough, because the database distributes the jobs. */
  runsJobs: boolean
  /** Identifier of the worker, new at each start. */
  worker: string
  /** Port of the other workers; undefined if there are none yet. */
  port: number | undefined
}

/** Message to stop. With `isRestart`, another worker has taken over, and clients get time for one more request on an idle connection. */
export interface Stop {
  kind: 'stop'
  isRestart: boolean
}

/** Messages of the primary process to a worker. `migrated`: all migrations are applied. */
export type ToWorker = Start | { kind: 'migrated' } | Stop

/** Message of a worker to the primary process before it ends because it cannot start. */
export interface Failed {
  kind: 'failed'
  /** The reason in its printed form. */
  reason: string
  /** True if the database cannot be reached, so that a later start may succeed. */
  isUnavailable: boolean
}

/** Message of a worker to the primary process when it can serve requests. */
export interface Ready {
  kind: 'ready'
  port: number
  /** Address on which it listens, e.g. `http://127.0.0.1:3000`. */
  address: string
  hasMailbox: boolean
  /** The demo data, set by the worker that has created it. */
  demo: Demo | undefined
}
