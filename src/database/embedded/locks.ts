import type pg from 'pg'
import { advisoryLocks } from '../../../prisma/advisory-locks.ts'

// Session-level advisory locks in the database `postgres`. PostgreSQL releases them when the session ends, so a killed
// process holds none.
const { clusterInUse: inUse, service } = advisoryLocks

/** Records that this session uses the cluster. Waits while another process stops it; the session then ends with it. */
export async function lockUse(session: pg.Client): Promise<void> {
  await session.query('SELECT pg_advisory_lock_shared($1)', [inUse])
}

/**
 * Ends this session's use. If no other session uses the cluster, takes the exclusive lock and returns true: the caller
 * may stop the cluster. Processes that arrive later wait in `lockUse`, lose their session and start the cluster again.
 */
export async function lockToStop(session: pg.Client): Promise<boolean> {
  await session.query('SELECT pg_advisory_unlock_shared($1)', [inUse])
  return tryLock(session, inUse)
}

/** Takes the lock of the one service of this cluster; false if another service holds it. */
export async function lockService(session: pg.Client): Promise<boolean> {
  return tryLock(session, service)
}

/** Returns the `application_name` of the session that holds the service lock; undefined if it is free. */
export async function serviceHolder(session: pg.Client): Promise<string | undefined> {
  const { rows } = await session.query<{ name: string }>(
    `SELECT a.application_name AS name
       FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.objid = $1`,
    [service],
  )
  return rows[0]?.name
}

async function tryLock(session: pg.Client, key: number): Promise<boolean> {
  const { rows } = await session.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [key])
  return rows[0]?.got === true
}
