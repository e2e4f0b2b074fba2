import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { IsCancelled } from './cancellation.ts'
import type { PreparedStatement } from './prepared-statement.ts'
import { SharedConnections } from './shared-connections.ts'

/** Called with the time that a caller waited for a connection because none was free, also if it got none in time. */
export type OnPoolWait = (milliseconds: number) => void

function since(report: OnPoolWait): () => void {
  const startedAt = performance.now()
  return () => report(performance.now() - startedAt)
}

/** The pool of a process. Its prepared statements share some of the connections. */
export class ServicePool extends pg.Pool {
  readonly #sharedConnections: SharedConnections
  readonly #onWait: OnPoolWait | undefined

  constructor(config: pg.PoolConfig, silenceMilliseconds: number | undefined, onWait?: OnPoolWait) {
    super(config)
    this.#onWait = onWait
    this.#sharedConnections = new SharedConnections(this, silenceMilliseconds)
  }

  execute<Row>(statement: PreparedStatement, values: readonly unknown[], isCancelled?: IsCancelled): Promise<Row[]> {
    return this.#sharedConnections.execute(statement, values, isCancelled)
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    this.#sharedConnections.returnIdleConnections()
    const onWait = this.#onWait && !this.#hasFreeConnection() ? since(this.#onWait) : undefined
    // A waiting caller would be called in the asynchronous context of the one that returns the connection.
    if (callback) return super.connect(AsyncLocalStorage.bind(onWait ? (...values) => (onWait(), callback(...values)) : callback))
    const connecting = super.connect()
    if (onWait) connecting.then(onWait, onWait)
    return connecting
  }

  /** Whether the pool has a connection, or may open one, that no other caller waits for. */
  #hasFreeConnection(): boolean {
    return this.idleCount > this.waitingCount || this.totalCount < this.options.max
  }
}
