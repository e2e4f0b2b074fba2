import type pg from 'pg'
import { advisoryLocks } from '../../prisma/advisory-locks.ts'

// Session locks of the database `postgres`. They die with their session, so a killed process holds nothing.
const { clusterInUse: inUse, service } = advisoryLocks

/** Says that this session uses the cluster. Waits while another process is stopping it (and dies with it). */
export async function lockUse(session: pg.Client): Promise<void> {
  await session.query('SELECT pg_advisory_lock_shared($1)', [inUse])
}

/**
 * Gives up this session's use and takes, if nobody else uses the cluster, the right to stop it: from then on who
 * comes waits in `lockUse`, loses its session when the cluster stops, and starts it again.
 */
export async function lockToStop(session: pg.Client): Promise<boolean> {
  await session.query('SELECT pg_advisory_unlock_shared($1)', [inUse])
  return tryLock(session, inUse)
}

/** Takes the place of the one service of this cluster; false when another has it. */
export async function lockService(session: pg.Client): Promise<boolean> {
  return tryLock(session, service)
}

/** The `application_name` of the session that holds the service's place; undefined when it is free. */
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
