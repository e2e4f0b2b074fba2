import pg from 'pg'
import type { PreparedStatement } from './hot-query.ts'
import type { Transaction } from './transaction.ts'

/** Where a statement is executed: in a transaction or, given a pool, as a transaction of its own. */
export type Executor = pg.Pool | Pick<Transaction, 'execute'>

/**
 * A hot statement, prepared once on every connection, for what Prisma's query builder cannot express in one
 * statement or executes too slowly. `Row` is the selected row: instants and calendar dates are text in the form of
 * responses, 64-bit integers are numbers (the database checks that money stays below 2^53).
 * Outside of transactions, a SELECT without locks shares a connection with others (docs/decisions/database.md#shared-connections).
 */
export function statement<Row extends object, Values extends unknown[]>(name: string, text: string) {
  const isShared = /^\s*SELECT\b/.test(text) && !/\bFOR\s+(?:UPDATE|SHARE|NO KEY|KEY)\b|advisory/i.test(text)
  const prepared: PreparedStatement<Row> = { name, text, isShared, count: 0, preparations: new WeakMap() }

  return async (executor: Executor, ...values: Values): Promise<Row[]> => {
    if (!('execute' in executor)) throw new Error('a statement needs a transaction or the pool of openClient')
    const { preparations } = prepared
    try {
      return await executor.execute(prepared, values)
    } catch (error) {
      if (!isPreparationLost(error)) throw error
      if (prepared.preparations === preparations) prepared.preparations = new WeakMap()
      // After an error, a transaction executes nothing more. Otherwise PostgreSQL has done nothing yet.
      if (!(executor instanceof pg.Pool)) throw error
      return executor.execute(prepared, values)
    }
  }
}

/**
 * Whether a connection no longer executes what it prepared: a migration changed the columns (`cached plan must not change result
 * type`), or a connection pooler between this process and PostgreSQL gave it another session.
 */
const isPreparationLost = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '0A000')
