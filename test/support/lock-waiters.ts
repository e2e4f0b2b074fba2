import type pg from 'pg'

/** How many sessions of this database wait for a lock. */
export async function lockWaiters(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`)
  return rowCount ?? 0
}
