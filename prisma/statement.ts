import { isConflict } from './availability.ts'
import type { PreparedStatement } from './hot/hot-query.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'
import type { StatementPool } from './statement-pool.ts'
import type { Transaction } from './transaction.ts'

/** Where a statement is executed: in a transaction or, given a pool, as a transaction of its own. */
export type Executor = StatementPool | Pick<Transaction, 'execute'>

interface StatementOptions {
  /** Whether requests start with it. It is then sent in one write with those of other requests that arrive at the same time. */
  startsRequests?: boolean
}

const isPool = (executor: Executor): executor is StatementPool => 'connect' in executor

/**
 * A hot statement, prepared once on every connection, for what Prisma's query builder cannot express in one
 * statement or executes too slowly. `Row` is the selected row: instants and calendar dates are text in the form of
 * responses, 64-bit integers are numbers (the database checks that money stays below 2^53).
 * Outside of transactions, a statement that waits for no other transaction shares a connection with others
 * (docs/decisions/database.md#shared-connections).
 */
export function statement<Row extends object, Values extends unknown[]>(name: string, text: string, options?: StatementOptions) {
  const prepared = preparedStatement<Row>(name, text, options)

  return async (executor: Executor, ...values: Values): Promise<Row[]> => {
    const { preparations } = prepared
    try {
      return await executor.execute(prepared, values)
    } catch (error) {
      if (isPool(executor) && isConflict(error)) return repeatOnConflict(() => executor.execute(prepared, values))
      if (!isPreparationLost(error)) throw error
      if (prepared.preparations === preparations) prepared.preparations = new WeakMap()
      // After an error, a transaction executes nothing more. Otherwise PostgreSQL has done nothing yet.
      if (!isPool(executor)) throw error
      return executor.execute(prepared, values)
    }
  }
}

const preparedStatement = <Row>(name: string, text: string, { startsRequests = false }: StatementOptions = {}): PreparedStatement<Row> => ({
  name,
  text,
  isShared: isPlainRead(text),
  startsRequests,
  count: 0,
  preparations: new WeakMap(),
})

/**
 * Executes a statement whose text a request composes, such as a list with some of its filters. It is not prepared: PostgreSQL plans it each
 * time, for the current values, and keeps nothing. For the most recent texts, this process keeps the function that builds their rows.
 */
export async function query<Row extends object>(executor: Executor, text: string, values: readonly unknown[]): Promise<Row[]> {
  const known = composed.get(text)
  const unnamed = known ?? preparedStatement('', text)
  if (!known) {
    const [oldest] = composed.keys()
    if (composed.size >= maxComposed && oldest !== undefined) composed.delete(oldest)
    composed.set(text, unnamed)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns of a text do not change
  return executor.execute(unnamed as PreparedStatement<Row>, values)
}
const composed = new Map<string, PreparedStatement<object>>()
const maxComposed = 500

/**
 * Whether a statement writes nothing and waits for no lock. A statement that writes starts with its verb or with WITH, since PostgreSQL
 * accepts INSERT, UPDATE, DELETE and MERGE in no subquery. A SELECT waits for a lock only by a locking clause, of which there are four, or
 * by a function for advisory locks. If such a word means something else in a statement, the statement only gets a connection of its own,
 * which is slower and has the same result.
 */
const isPlainRead = (text: string) => /^\s*SELECT\b/.test(text) && !/\bFOR\s+(?:UPDATE|SHARE|NO\s+KEY|KEY)\b|advisory/i.test(text)

/**
 * Whether a connection no longer executes what it prepared: a migration changed the columns (`cached plan must not change result
 * type`), or a connection pooler between this process and PostgreSQL gave it another session.
 */
const isPreparationLost = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '0A000')
