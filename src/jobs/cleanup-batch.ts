import { advisoryLocks } from '../../prisma/advisory-locks.ts'
import { statement } from '../../prisma/statement/statement.ts'

/** Maximum number of rows that a batch deletes, so that no statement takes long or locks many rows. */
export const batchSize = 1000

/** An SQL condition that is true if this transaction is the only one that cleans up. */
export const isOnlyCleanup = `(SELECT pg_try_advisory_xact_lock(${advisoryLocks.cleanup}))`

/** Creates a statement that deletes a batch of a table's rows that meet a condition, in which $1 is a time. It returns their number. */
export const buildBatch = (table: string, key: string, condition: string, name = table) =>
  statement<{ count: number }, [time: Date]>(
    `clean_up_${name}`,
    // ARRAY makes PostgreSQL evaluate the subquery once. Without it, the planner may evaluate it again for every row.
    `WITH deleted AS (DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(
       SELECT ${key} FROM ${table} WHERE ${isOnlyCleanup} AND (${condition}) LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     )) RETURNING 1) SELECT count(*)::int AS count FROM deleted`,
  )
