import type pg from 'pg'

/** Returns the number of sessions of this database that wait for a lock. */
export async function lockWaiters(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`)
  return rowCount ?? 0
}
