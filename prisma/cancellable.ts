import { ServicePool } from './join-transaction.ts'
import type { Database } from './client.ts'

/**
 * The database for an operation that only reads: once the signal is aborted, hot statements reject with its reason, and those in
 * progress are cancelled. Statements of transactions and of Prisma's query builder run on, until their time limit.
 */
export function cancellable(database: Database, signal: AbortSignal): Database {
  const { pool } = database
  if (!(pool instanceof ServicePool)) return database
  const execute: ServicePool['execute'] = (statement, values) => pool.execute(statement, values, signal)
  const own = { execute, connect: pool.connect.bind(pool), query: pool.query.bind(pool) }
  return { ...database, pool: Object.assign(Object.create(pool), own) }
}
