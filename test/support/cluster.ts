import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { clusterFolder, isAlive } from '../../src/database/cluster-folder.ts'
import { joinCluster } from '../../src/database/cluster.ts'
import { urlConnection, withDatabase, withSession } from '../../src/database/connection.ts'
import { applyMigrations } from '../../src/database/migrate.ts'
import { stopPostmaster } from '../../src/database/postmaster.ts'
import { socketPort } from '../../src/database/socket-folder.ts'

/** What `createDatabase` needs to know about the run's cluster. */
export interface TestCluster {
  /** A superuser's URL of the cluster's `postgres` database. */
  adminUrl: string
  /** A migrated, empty database to copy. */
  template: string
}

declare module 'vitest' {
  interface ProvidedContext {
    testCluster: TestCluster
  }
}

const quiet = { info: () => {}, warn: (text: string) => process.stderr.write(`${text}\n`) }

/**
 * vitest's global set-up: one cluster for the whole run, an embedded one in a temporary folder or, where
 * TEST_DATABASE_URL names one, a PostgreSQL that is already there; in it one migrated database to copy.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const { adminUrl, stop } = given ? { adminUrl: given, stop: async () => {} } : await embeddedCluster()
  const admin = urlConnection(adminUrl)
  const template = `test_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  await withSession(admin, (session) => session.query(`CREATE DATABASE ${template} TEMPLATE template0`))
  await applyMigrations(withDatabase(admin, template), quiet)
  project.provide('testCluster', { adminUrl, template })
  return async () => {
    if (given) await withSession(admin, (session) => dropAll(session, template))
    await stop()
  }
}

async function embeddedCluster(): Promise<{ adminUrl: string; stop: () => Promise<void> }> {
  await removeAbandoned()
  const folder = mkdtempSync(path.join(tmpdir(), `${prefix}${process.pid}-`))
  // As root the service runs PostgreSQL as another user, who has to pass through.
  chmodSync(folder, 0o711)
  const cluster = await clusterFolder(folder, quiet)
  // No test of this cluster is about power loss; without fsync a copied database costs a third.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', max_connections: '300' }
  const membership = await joinCluster(cluster, { role: 'command', holder: 'tests', log: quiet, settings })
  return {
    adminUrl: `postgresql://postgres@localhost:${socketPort}/postgres?host=${encodeURIComponent(membership.host)}`,
    async stop() {
      await membership.leave()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const prefix = 'team-account-test-'

/** A run that was killed could not stop its cluster. */
async function removeAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const maker = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    if (!maker || isAlive(Number(maker))) continue
    const folder = path.join(tmpdir(), name)
    await stopPostmaster(await clusterFolder(folder, quiet))
    rmSync(folder, { recursive: true, force: true })
  }
}

async function dropAll(session: pg.Client, prefixOfNames: string): Promise<void> {
  const { rows } = await session.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)', [
    prefixOfNames,
  ])
  for (const { name } of rows) await session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
