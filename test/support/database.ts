import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { inject } from 'vitest'
import { poolConfigFor, urlConnection, withDatabase, withSession } from '../../src/database/connection.ts'

/** A database of the test's own in the run's cluster. */
export interface TestDatabase {
  poolConfig: pg.PoolConfig
  /** The same database for a child process, as DATABASE_URL. */
  url: string
  drop(): Promise<void>
}

/** Makes a migrated database without a row, in some 30 ms; with `migrated: false` one without a table. */
export async function createDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const { adminUrl, template } = inject('testCluster')
  const admin = urlConnection(adminUrl)
  const name = `${template}_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  await withSession(admin, (session) => session.query(`CREATE DATABASE ${name} TEMPLATE ${migrated ? template : 'template0'}`))
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    poolConfig: poolConfigFor(withDatabase(admin, name), 'service', 10),
    url: url.href,
    async drop() {
      await withSession(admin, async (session) => {
        await hasNoSessions(session, name)
        await session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      })
    },
  }
}

/** Waits, two seconds at most, for connections that are closing: one cut off by the drop would throw in its test. */
async function hasNoSessions(session: pg.Client, name: string): Promise<void> {
  const deadline = Date.now() + 2000
  const count = async () => (await session.query('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [name])).rowCount
  while (await count()) {
    if (Date.now() > deadline) return
    await delay(10)
  }
}
