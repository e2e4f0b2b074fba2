import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { PrismaClient } from './generated/client/client.ts'
import { ServicePool } from './join-transaction.ts'
import { watchedClient } from './pg-client.ts'

/** A pool of connections, for Prisma's query builder and for hot statements. */
export interface Database {
  prisma: PrismaClient
  pool: pg.Pool
  close(): Promise<void>
}

export interface ClientOptions {
  /** Called with the text of every statement, for example to count them. */
  onStatement?: (text: string) => void
}

/** Opens the pool, which connects lazily. A lost connection is replaced; the statement on it fails. */
export function openClient({ query_timeout, ...config }: pg.PoolConfig, { onStatement }: ClientOptions = {}): Database {
  const Client = watchedClient({ silenceMilliseconds: query_timeout, onStatement })
  // A pipelined client sends a statement without waiting for the response to the one before it.
  const pool = new ServicePool({ ...config, Client, pipeline: true }, query_timeout)
  // The pool drops a broken connection, and its statement fails. Without these listeners the event would end the process,
  // also between two statements of a transaction and while the pool is closing.
  pool.on('error', () => {})
  pool.on('connect', (connection) => void connection.on('error', () => {}))
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: createStatementNames() }),
  })
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}

// Prepared statements stay on a connection until it closes, and an IN list makes one text per length. Beyond this number
// of texts, further ones use the unnamed statement, so that the server's memory does not fill up.
const preparedStatements = 500

/** Returns a function that names each statement text, the same in every process. */
export function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>()
  return ({ sql }) => {
    const known = names.get(sql)
    if (known !== undefined) return known
    if (names.size >= preparedStatements) return ''
    const name = `p_${createHash('sha256').update(sql).digest('base64url').slice(0, 20)}`
    names.set(sql, name)
    return name
  }
}
