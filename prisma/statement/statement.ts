import { isConflict } from '../connection/availability.ts'
import type { PreparedStatement } from '../connection/prepared-statement.ts'
import type { StatementPool } from '../connection/statement-pool.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'
import type { Transaction } from './transaction.ts'

/** Target of a statement: a transaction or, if it is a pool, a transaction of its own. */
export type Executor = StatementPool | Pick<Transaction, 'execute'>

interface StatementOptions {
  /** True if requests start with this statement. It is then sent in one write with those of other requests that arrive at the same time. */
  startsRequests?: boolean
}

const isPool = (executor: Executor): executor is StatementPool => 'connect' in executor

/**
 * A statement that each connection prepares once. `Row` is the selected row: instants and calendar dates are text in the form of responses,
 * 64-bit integers are numbers (the database checks that money stays below 2^53).
 * Outside of transactions, a statement that waits for no other transaction shares a connection with others
 * (docs/decisions/database.md#shared-connections).
 */
export function statement<Row extends object, Values extends unknown[]>(name: string, text: string, options?: StatementOptions) {
  const prepared = preparedStatement(name, text, options)
  let losses = 0

  return async (executor: Executor, ...values: Values): Promise<Row[]> => {
    const { name: sentName } = prepared
    try {
      return await executor.execute(prepared, values)
    } catch (error) {
      if (isPool(executor) && isConflict(error)) return repeatOnConflict(() => executor.execute(prepared, values))
      if (!isPreparationLost(error)) throw error
      // pg sends the text again only for a name that is new to the connection.
      if (prepared.name === sentName) prepared.name = `${name}_${++losses}`
      // After an error, a transaction executes nothing more. Otherwise PostgreSQL has done nothing yet.
      if (!isPool(executor)) throw error
      return executor.execute(prepared, values)
    }
  }
}

const preparedStatement = (
  name: string | undefined,
  text: string,
  { startsRequests = false }: StatementOptions = {},
): PreparedStatement => ({ name, text, isShared: isPlainRead(text), startsRequests })

/**
 * Executes a statement whose text a request composes, such as a list with some of its filters. It is not prepared: PostgreSQL plans it each
 * time, for the current values, and stores nothing.
 */
export function query<Row extends object>(executor: Executor, text: string, values: readonly unknown[]): Promise<Row[]> {
  return executor.execute(preparedStatement(undefined, text), values)
}

/**
 * Returns true if a statement writes nothing and waits for no lock. A statement that writes starts with its verb or with WITH, because
 * PostgreSQL accepts INSERT, UPDATE, DELETE and MERGE in no subquery. A SELECT waits for a lock only by a locking clause, of which there
 * are four, or by a function for advisory locks. If such a word means something else in a statement, the statement only gets its own
 * connection, which is slower and has the same result.
 */
const isPlainRead = (text: string) => /^\s*SELECT\b/.test(text) && !/\bFOR\s+(?:UPDATE|SHARE|NO\s+KEY|KEY)\b|advisory/i.test(text)

/**
 * Returns true if a connection no longer executes what it prepared: a migration changed the columns (`cached plan must not change result
 * type`), or a connection pooler between this process and PostgreSQL gave it another session.
 */
const isPreparationLost = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === '26000' || error.code === '0A000')
