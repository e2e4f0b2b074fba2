import { withSession } from '../database/connection.ts'
import type { Connection } from '../database/connection.ts'

/** Connections of a process outside its pool: three of the job queue, one for its notifications, one for event streams. */
const connectionsBesidePool = 5

/**
 * Compares the number of connections that the processes of this machine can open with the number that PostgreSQL allows. Returns a
 * warning, or null. Ignores other machines and programs. Returns null for a connection pooler, whose limits the service cannot read.
 */
export async function connectionWarning(connection: Connection, processes: number, pool: number): Promise<string | null> {
  if (connection.pooler) return null
  const { rows } = await withSession(connection, (session) =>
    session.query<{ allowed: number }>(
      `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
         - COALESCE(current_setting('reserved_connections', true)::int, 0) AS allowed`,
    ),
  )
  const allowed = rows[0]?.allowed ?? 0
  const needed = processes * (pool + connectionsBesidePool)
  if (needed <= allowed) return null
  return (
    `${processes} processes with DATABASE_POOL ${pool} open up to ${needed} connections, and PostgreSQL allows ${allowed}: ` +
    'lower DATABASE_POOL or WEB_CONCURRENCY, or raise max_connections'
  )
}
