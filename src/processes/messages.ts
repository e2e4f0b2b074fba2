import type { Connection } from '../database/connection.ts'
import type { Demo } from '../demo/demo.ts'

/** What the primary process sends to a worker when it starts it. */
export interface Start {
  kind: 'start'
  /**
   * The embedded database that the primary process has opened, without limits of time. Null for an external one, whose settings each
   * worker reads: messages cannot carry certificates.
   */
  embedded: Connection | null
  /** Whether to listen before the service is ready, so that requests get a response while no worker is. */
  listensAtOnce: boolean
  /** Whether this worker works on jobs. One per machine is enough: the database distributes them. */
  runsJobs: boolean
  /** The port of the other workers; undefined if there are none yet. */
  port: number | undefined
}

/** `isRestart`: another worker has taken over, and idle connections get time to be used once more. */
export interface Stop {
  kind: 'stop'
  isRestart: boolean
}

/** `migrated`: all migrations are applied. */
export type ToWorker = Start | { kind: 'migrated' } | Stop

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
