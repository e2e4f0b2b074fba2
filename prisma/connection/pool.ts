import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { IsCancelled } from './cancellation.ts'
import type { PreparedStatement } from './prepared-statement.ts'
import { SharedConnections } from './shared-connections.ts'

/** Called with the time that a caller waited because no connection was free, even if the caller got none in time. */
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
    // Without this, the callback of a waiting caller would run in the asynchronous context of the code that returns the connection.
    if (callback) return super.connect(AsyncLocalStorage.bind(onWait ? (...values) => (onWait(), callback(...values)) : callback))
    const connecting = super.connect()
    if (onWait) connecting.then(onWait, onWait)
    return connecting
  }

  /** Returns true if the pool has a connection, or can open one, for which no other caller waits. */
  #hasFreeConnection(): boolean {
    return this.idleCount > this.waitingCount || this.totalCount < this.options.max
  }
}
