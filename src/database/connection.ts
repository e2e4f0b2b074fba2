import pg from 'pg'
import type { Role } from './cluster.ts'

// Instants and dates are read as text, in this form: a server or database may be set to another.
const sessionOptions = '-c timezone=UTC -c datestyle=ISO'

/** A connection to a database given by URL; what the URL says about options and the like is kept. */
export function urlConnection(databaseUrl: string): pg.ClientConfig {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', [url.searchParams.get('options'), sessionOptions].filter(Boolean).join(' '))
  return { connectionString: url.href, ...liveness }
}

/** A connection through a Unix socket; every value said, so that no PG* variable of the environment speaks for us. */
export function socketConnection(host: string, port: number, database: string): pg.ClientConfig {
  return { host, port, user: 'postgres', password: '', ssl: false, database, options: sessionOptions, ...liveness }
}

/** The same server, another database. */
export function withDatabase(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...connection, connectionString: url.href }
}

const liveness: pg.ClientConfig = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 10_000,
}

/**
 * What a pool of the service or of a command is opened with. The service would rather fail than wait: whatever
 * happens to the database, a statement answers within 3 seconds. A command may import for minutes.
 */
export function poolConfigFor(connection: pg.ClientConfig, role: Role, connections: number): pg.PoolConfig {
  const config = { ...connection, max: connections, application_name: `team-account-${role}` }
  if (role === 'command') return config
  return {
    ...config,
    connectionTimeoutMillis: 2000,
    statement_timeout: 2000,
    // For the server that no longer answers at all; longer, so that one that does ends the statement itself.
    query_timeout: 2500,
    // A transaction abandoned by its caller would keep its locks.
    idle_in_transaction_session_timeout: 10_000,
  }
}

/** Runs `work` on a session of its own. */
export async function withSession<T>(connection: pg.ClientConfig, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client(connection)
  // A lost connection fails the statement that runs; the event itself would end the process.
  session.on('error', () => {})
  await session.connect()
  try {
    return await work(session)
  } finally {
    await session.end()
  }
}
