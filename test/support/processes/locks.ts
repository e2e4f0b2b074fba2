import type pg from 'pg'
import { onTestFinished } from 'vitest'

/** Returns the number of sessions of this database that wait for a lock. */
export async function lockWaiters(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`)
  return rowCount ?? 0
}

/**
 * Opens a transaction that keeps the locks of a statement until `commit`. If a test fails before, its end rolls the transaction
 * back: otherwise the next tests would wait for the locks.
 */
export async function holdLocks(
  pool: pg.Pool,
  text: string,
  values?: unknown[],
): Promise<{ session: pg.PoolClient; commit(): Promise<void> }> {
  const session = await pool.connect()
  let isOpen = true
  const end = async (statement: string) => {
    if (!isOpen) return
    isOpen = false
    await session.query(statement).finally(() => session.release())
  }
  onTestFinished(() => end('ROLLBACK'))
  await session.query('BEGIN')
  await session.query(text, values)
  return { session, commit: () => end('COMMIT') }
}
