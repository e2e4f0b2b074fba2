import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { PrismaClient } from '../generated/client/client.ts'
import { ServicePool } from './pool.ts'
import type { OnPoolWait } from './pool.ts'
import { watchedClient } from './pg-client.ts'
import type { OnStatement } from './pg-client.ts'
import { Replica } from './replica.ts'
import type { ReplicaReader } from './replica.ts'
import type { StatementPool } from './statement-pool.ts'

/** The database, as Prisma's query builder and statements use it. */
export interface Database {
  prisma: PrismaClient
  pool: StatementPool
  replica: ReplicaReader | null
}

/** The database of a process: a pool of connections. */
export interface OpenDatabase extends Database {
  pool: ServicePool
  /** Configuration for statements that need a session, such as LISTEN. A connection of the pool may go through a pooler. */
  sessionConfig: pg.ClientConfig
  close(): Promise<void>
}

export interface ServicePoolConfig extends pg.PoolConfig {
  /** Configuration of the same database through a pooler such as PgBouncer in transaction mode, which the pool then uses. */
  pooler?: pg.ClientConfig
  /** Configuration of a streaming standby of the database. */
  replica?: pg.ClientConfig
}

export interface ClientOptions {
  onStatement?: OnStatement
  onPoolWait?: OnPoolWait
}

/** Opens the pool, which connects lazily. A lost connection is replaced; the statement on it fails. */
export function openClient(
  { query_timeout, pooler, replica: replicaConfig, ...config }: ServicePoolConfig,
  { onStatement, onPoolWait }: ClientOptions = {},
): OpenDatabase {
  const Client = watchedClient({ silenceMilliseconds: query_timeout, onStatement, isPooled: pooler !== undefined })
  // A pipelined client sends a statement without waiting for the response to the previous one.
  const pool = new ServicePool({ ...(pooler ? throughPooler(config, pooler) : config), Client, pipeline: true }, query_timeout, onPoolWait)
  // The pool drops a broken connection, and its statement fails. Without these listeners the event would end the process, even between two
  // statements of a transaction and while the pool is closing.
  pool.on('error', () => {})
  pool.on('connect', (connection) => void connection.on('error', () => {}))
  // Created for the first query of Prisma, because a client reads a description of all tables into 18 MB of objects.
  let prisma: PrismaClient | undefined
  const openReplica = (standby: pg.ClientConfig) => {
    const DirectClient = watchedClient({ silenceMilliseconds: query_timeout, onStatement, isPooled: false })
    const { connectionTimeoutMillis } = config
    const all = { ...config, ...standby, connectionTimeoutMillis, Client: DirectClient, pipeline: true }
    return new Replica(new ServicePool(all, query_timeout), pool)
  }
  const replica = replicaConfig ? openReplica(replicaConfig) : null
  return {
    get prisma() {
      return (prisma ??= new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }) }))
    },
    pool,
    sessionConfig: config,
    replica,
    async close() {
      await replica?.close()
      await prisma?.$disconnect()
      await pool.end()
    },
  }
}

/** A pooler refuses parameters of a session, such as `statement_timeout`, because many clients share a session. */
function throughPooler(config: pg.PoolConfig, pooler: pg.ClientConfig): pg.PoolConfig {
  const { max, application_name, connectionTimeoutMillis } = config
  return { ...pooler, max, application_name, connectionTimeoutMillis }
}

// Maximum number of named statement texts. Prepared statements stay on a connection until it closes, and an IN list makes one text per
// length. Further texts use the unnamed statement, so that the server's memory does not fill up.
const preparedStatements = 500

/** Returns a function that names each statement text, the same in every process. */
export function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const existingName = names.get(sql)
    if (existingName !== undefined) return existingName
    if (names.size >= preparedStatements) return ''
    const name = `p_${createHash('sha256').update(sql).digest('base64url').slice(0, 20)}`
    names.set(sql, name)
    return name
  }
}
