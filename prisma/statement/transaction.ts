import pg from 'pg'
import { isAbortedTransaction } from '../connection/availability.ts'
import type { Database } from '../connection/database.ts'
import { executeOn } from '../connection/prepared-statement.ts'
import type { PreparedStatement } from '../connection/prepared-statement.ts'
import { repeatOnConflict } from './repeat-on-conflict.ts'

/** A database transaction on one connection. */
export interface Transaction {
  /**
   * Sends a statement. Statements without an `await` in between are sent in one write and run one after the other; their results arrive
   * together.
   */
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>
  /** Sends a prepared statement in the same way. It is called by `statement(…)`. */
  execute<Row>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]>
  /**
   * Accepts a statement that was sent, whose result arrives with that of COMMIT. If it fails, the transaction fails with its error. Errors
   * in the caller's handling of the result can no longer fail the transaction.
   */
  defer(statement: Promise<unknown>): void
}

// The timeout is sufficient for fifty concurrent changes of one row. A transaction that takes longer fails as unavailable (503).
const timeoutMilliseconds = 15_000

/**
 * Runs `work` in a transaction. BEGIN is sent with the first statement, and COMMIT with the deferred ones, so that a change that reads and
 * then writes takes two round trips. Rolls back if `work` throws or a deferred statement fails. Returns only once PostgreSQL has confirmed
 * the commit; throws `UnknownOutcomeError` if the connection was lost after COMMIT had been sent. Runs `work` again after a conflict with
 * another transaction, so `work` must change nothing but the database.
 */
export const inTransaction = <Result>(database: Database, work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
  repeatOnConflict(() => runOnce(database, work))

/** The error if the connection was lost before PostgreSQL responded to COMMIT, so that the outcome of the transaction is unknown. */
export class UnknownOutcomeError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost before PostgreSQL confirmed the commit', { cause })
    this.name = 'UnknownOutcomeError'
  }
}

async function runOnce<Result>({ pool }: Database, work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  const timeout = setTimeout(() => client.connection.stream.destroy(new Error('timeout expired')), timeoutMilliseconds)
  const sendTogether = corkedUntilNextTick(client)
  const send = (statement: pg.QueryConfig) => sendTogether(() => client.query(statement))
  const deferred: Promise<unknown>[] = []
  let isOpen = false
  let hasEnded = false
  let firstFailure: unknown

  const sendInside = <Output>(submit: () => Promise<Output>): Promise<Output> => {
    // The connection may already belong to another transaction.
    if (hasEnded) return Promise.reject(new Error('the transaction has ended'))
    if (!isOpen) defer(send({ text: 'BEGIN' }))
    isOpen = true
    const sent = sendTogether(submit)
    sent.catch((error: unknown) => (firstFailure ??= error))
    return sent
  }
  const query = (statement: pg.QueryConfig) => sendInside(() => client.query(statement))
  const execute = <Row>(statement: PreparedStatement, values: readonly unknown[]) =>
    sendInside(() => executeOn<Row>(client, statement, values))
  const defer = (statement: Promise<unknown>) => {
    // Without a listener, a failure before `commit` would end the process.
    statement.catch(() => {})
    deferred.push(statement)
  }

  async function commit(): Promise<void> {
    hasEnded = true
    const committed = send({ text: 'COMMIT' })
    const answers = await Promise.allSettled([committed, ...deferred])
    if (answers[0].status === 'rejected' && !isRefusal(answers[0].reason)) throw new UnknownOutcomeError(answers[0].reason)
    const failure = answers.slice(1).find(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected') throw failure.reason
    // PostgreSQL responds to COMMIT with ROLLBACK if a statement failed.
    if ((await committed).command !== 'COMMIT') throw new Error('the transaction was rolled back')
  }

  try {
    const result = await work({ query, execute, defer })
    if (isOpen) await commit()
    hasEnded = true
    client.release()
    return result
  } catch (error) {
    // After COMMIT no transaction is left, whatever the response was.
    const mustRollBack = isOpen && !hasEnded
    hasEnded = true
    const isIdle =
      !mustRollBack ||
      (await send({ text: 'ROLLBACK' }).then(
        () => true,
        () => false,
      ))
    // A connection in an unknown state is closed.
    client.release(!isIdle)
    throw isAbortedTransaction(error) ? firstFailure : error
  } finally {
    clearTimeout(timeout)
  }
}

/** Returns true if PostgreSQL responded that it did not commit. Its shutdown (57P01) or a lost connection (08…) may follow a commit. */
const isRefusal = (error: unknown) => error instanceof pg.DatabaseError && !/^(?:08|57P)/.test(error.code ?? '08')

/** Returns a function that calls `send`. All data that is sent in one tick goes out in one write. */
function corkedUntilNextTick(client: pg.PoolClient) {
  let isCorked = false
  return <Result>(send: () => Promise<Result>): Promise<Result> => {
    if (!isCorked) {
      const { stream } = client.connection
      isCorked = true
      stream.cork()
      process.nextTick(() => {
        isCorked = false
        stream.uncork()
      })
    }
    return send()
  }
}
