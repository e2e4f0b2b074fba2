import type pg from 'pg'
import { waitFor } from '../service/wait.ts'

/**
 * Waits until no transaction runs that began before now: the feed of events ends before such a transaction. Tests run beside others,
 * whose databases are on the same PostgreSQL server.
 */
export async function settled(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ end: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS end')
  await waitFor(async () => {
    const present = await pool.query('SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::xid8 AS "isSettled"', [rows[0]?.end])
    return present.rows[0].isSettled
  })
}
