import pg from 'pg'
import type { ServicePoolConfig } from '../../prisma/connection/database.ts'
import type { Role } from './embedded/embedded-postgres.ts'
import { socketConnection } from './embedded/socket-connection.ts'
import { takeTls } from './tls.ts'

// SQL in this project reads instants and dates as text. A server or database may default to another time zone or style.
// Overrides time limits of the role, which are meant for connections through a pooler. A command has no time limit.
// Random reads cost little on an SSD or in memory. With PostgreSQL's value, 4, lists over teams sorted all rows of a large team if most
// teams have few (docs/decisions/pagination.md#lists-over-teams).
// Parallel workers read further than a page needs, so only long statements have them (docs/decisions/pagination.md#indexes).
// PostgreSQL compiles a statement if it expects it to be long, at each execution anew, which can take a second. Those of the service are short.
const planner = '-c random_page_cost=1.1 -c parallel_setup_cost=3000 -c jit=off'
const sessionOptions = `-c timezone=UTC -c datestyle=ISO -c statement_timeout=0 -c idle_in_transaction_session_timeout=0 ${planner}`

/** A direct connection and, if configured, those through a pooler and to a replica. */
export type Connection = pg.ClientConfig & Pick<ServicePoolConfig, 'pooler' | 'replica'>

const keepAlive: pg.ClientConfig = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
  connectionTimeoutMillis: 10_000,
}

/** Returns the connection for a database URL. It includes `options` of the URL. Throws if its TLS parameters are wrong. */
export function urlConnection(databaseUrl: string): pg.ClientConfig {
  const url = new URL(databaseUrl)
  const ssl = takeTls(url)
  url.searchParams.set('options', [url.searchParams.get('options'), sessionOptions].filter(Boolean).join(' '))
  return { connectionString: url.href, ssl, ...keepAlive }
}

/** Returns the connection through a pooler, which refuses options of a session. */
export function poolerConnection(databaseUrl: string): pg.ClientConfig {
  const url = new URL(databaseUrl)
  const ssl = takeTls(url)
  return { connectionString: url.href, ssl, ...keepAlive }
}

/** Returns the connection to a database of the embedded server. `host` is the folder of its Unix socket. */
export const embeddedConnection = (host: string, database: string): pg.ClientConfig => ({
  ...socketConnection(host, database),
  options: sessionOptions,
  ...keepAlive,
})

/** Returns the connection to another database of the same server. */
export function withDatabase(connection: pg.ClientConfig, database: string): pg.ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...connection, connectionString: url.href }
}

/**
 * Pool options for the service or a command. The service prefers an error to a long wait: whatever happens to the
 * database, every statement ends within 3 seconds. A command has no limit, because an import may take minutes.
 */
export function poolConfigFor(connection: Connection, role: Role, connections: number): ServicePoolConfig {
  const { pooler, replica, ...direct } = connection
  const config = { ...direct, max: connections, application_name: `team-account-${role}` }
  if (role === 'command') return config
  return {
    ...config,
    ...(pooler && { pooler }),
    ...(replica && { replica }),
    connectionTimeoutMillis: 2000,
    statement_timeout: 2000,
    // The timeout applies if the server does not respond at all. It exceeds `statement_timeout`, so that a responsive server ends the
    // statement itself.
    query_timeout: 2500,
    // An abandoned transaction would keep its locks.
    idle_in_transaction_session_timeout: 10_000,
  }
}

/** Runs `work` on a separate session and closes the session afterwards. */
export async function withSession<T>(connection: pg.ClientConfig, work: (session: pg.Client) => Promise<T>): Promise<T> {
  const session = new pg.Client(connection)
  // A lost connection fails the running statement. Without a listener the event would end the process.
  session.on('error', () => {})
  await session.connect()
  try {
    return await work(session)
  } finally {
    await session.end()
  }
}
