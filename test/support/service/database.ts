import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { poolConfigFor, urlConnection, withDatabase, withSession } from '../../../src/database/connection.ts'

/** A database in the PostgreSQL cluster of the test run that no other test uses. */
export interface TestDatabase {
  /** With time limits that no statement exceeds on a busy machine. */
  poolConfig: pg.PoolConfig
  /** With the time limits of the service, for tests of a database that does not respond. */
  limitedPoolConfig: pg.PoolConfig
  /** The DATABASE_URL of a child process that uses this database. */
  url: string
  /** Drops the database and ends sessions that are still open. */
  drop(): Promise<void>
}

interface Options {
  /** False creates a database without tables. */
  migrated?: boolean
}

const patience: pg.PoolConfig = {
  connectionTimeoutMillis: 40_000,
  statement_timeout: 40_000,
  query_timeout: 45_000,
  idle_in_transaction_session_timeout: 100_000,
}

/** Creates a migrated, empty database. This takes about 30 ms. */
export async function createDatabase(options: Options = {}): Promise<TestDatabase> {
  const database = planDatabase(options)
  await database.create()
  return database
}

/** Returns a database that exists while the tests of this file or `describe` run. */
export function useDatabase(options: Options = {}): Omit<TestDatabase, 'drop'> {
  const { create, drop, ...database } = planDatabase(options)
  beforeAll(create)
  afterAll(drop)
  return database
}

/** Returns a pool of connections to a database that exists while the tests of this file run. */
export function usePool(options: pg.PoolConfig = {}): pg.Pool {
  const { poolConfig } = useDatabase()
  const pool = new pg.Pool({ ...poolConfig, ...options })
  afterAll(() => pool.end())
  return pool
}

/** Chooses the name of a database, so that its URL is known before `create` creates it. */
export function planDatabase({ migrated = true }: Options = {}): TestDatabase & { create(): Promise<void> } {
  const { adminUrl, template, isEmbedded } = inject('testCluster')
  const admin = urlConnection(adminUrl)
  const name = `${template}_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const limitedPoolConfig = poolConfigFor(withDatabase(admin, name), 'service', 10)
  return {
    poolConfig: { ...limitedPoolConfig, ...patience },
    limitedPoolConfig,
    url: url.href,
    async create() {
      // Copies of files need a checkpoint, which takes no time only where nothing is written to a disk.
      const strategy = isEmbedded ? 'STRATEGY FILE_COPY' : ''
      await withSession(admin, (session) =>
        session.query(`CREATE DATABASE ${name} TEMPLATE ${migrated ? template : 'template0'} ${strategy}`),
      )
    },
    async drop() {
      await withSession(admin, async (session) => {
        await waitForSessionsToClose(session, name)
        await session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      })
    },
  }
}

/** Waits up to two seconds for sessions to close. A session that the drop terminates would throw in its test. */
async function waitForSessionsToClose(session: pg.Client, name: string): Promise<void> {
  const deadline = Date.now() + 2000
  const count = async () => (await session.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [name])).rowCount
  while (await count()) {
    if (Date.now() > deadline) return
    await delay(10)
  }
}
