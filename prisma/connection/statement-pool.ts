import type pg from 'pg'
import type { IsCancelled } from './cancellation.ts'
import type { PreparedStatement } from './prepared-statement.ts'

/** A pool of connections that executes statements, each in its own transaction. */
export interface StatementPool {
  /** Called by `statement(…)`. Rejects with a `CancelledError` after the request is cancelled. */
  execute<Row>(statement: PreparedStatement, values: readonly unknown[], isCancelled?: IsCancelled): Promise<Row[]>
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>
  /** Returns a connection for a transaction. The caller must release it. */
  connect(): Promise<pg.PoolClient>
}
