import { createHash } from 'node:crypto'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from './generated/client/client.ts'
import type { Prisma } from './generated/client/client.ts'
import { watchedClient } from './pg-client.ts'

/** One pool of connections, seen through Prisma's query builder and, for hot statements, directly. */
export interface Database {
  prisma: PrismaClient
  pool: pg.Pool
  close(): Promise<void>
}

/** What a change runs in: Prisma's client inside one transaction. */
export type Transaction = Prisma.TransactionClient

export interface ClientOptions {
  /** Told the text of every statement sent, e.g. to count them; costs nothing when absent. */
  onStatement?: (text: string) => void
}

/** Opens the pool; connects lazily. A lost connection is replaced, the statement on it fails. */
export function openClient({ query_timeout, ...config }: pg.PoolConfig, { onStatement }: ClientOptions = {}): Database {
  const Client = watchedClient({ silenceMilliseconds: query_timeout, onStatement })
  const pool = new pg.Pool({ ...config, Client })
  // A connection that breaks is dropped by the pool, and the statement on it fails; unheard, its event would end the
  // process, between two statements of a transaction and while the pool is closing too.
  pool.on('error', () => {})
  pool.on('connect', (connection) => void connection.on('error', () => {}))
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { statementNameGenerator: ({ sql }) => statementName(sql) }),
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

// Prepared statements live per connection for ever, and an IN list makes a text per length: past this
// many texts further ones share the unnamed statement instead of filling the server's memory.
const preparedStatements = 500
const names = new Map<string, string>()

function statementName(sql: string): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  if (names.size >= preparedStatements) return ''
  const name = `p_${createHash('sha256').update(sql).digest('base64url').slice(0, 20)}`
  names.set(sql, name)
  return name
}
