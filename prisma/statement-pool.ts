import type pg from 'pg'
import type { IsCancelled } from './hot/cancellation.ts'
import type { PreparedStatement } from './hot/hot-query.ts'

/** A pool of connections that executes hot statements, each in its own transaction. */
export interface StatementPool {
  /** Called by `statement(…)`. Rejects with a `CancelledError` after the request is cancelled. */
  execute<Row>(statement: PreparedStatement<Row>, values: readonly unknown[], isCancelled?: IsCancelled): Promise<Row[]>
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>
  /** A connection for a transaction, to be released by the caller. */
  connect(): Promise<pg.PoolClient>
}
