import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { getErrorMessage } from '../../../src/config/error-message.ts'
import { clusterFolder } from '../../../src/database/embedded/folder.ts'
import { isAlive } from '../../../src/database/embedded/postmaster-file.ts'
import { joinCluster } from '../../../src/database/embedded/embedded-postgres.ts'
import { urlConnection, withDatabase, withSession } from '../../../src/database/connection.ts'
import { applyMigrations } from '../../../src/database/migrate.ts'
import { stopPostmaster } from '../../../src/database/embedded/postmaster.ts'
import { socketPort } from '../../../src/database/embedded/socket-connection.ts'

/** The PostgreSQL cluster of the test run, as `createDatabase` uses it. */
export interface TestCluster {
  /** The URL of the database `postgres`, with a superuser. */
  adminUrl: string
  /** The name of the migrated, empty database that is copied. */
  template: string
  isEmbedded: boolean
}

declare module 'vitest' {
  interface ProvidedContext {
    testCluster: TestCluster
    /** A folder for files of this test run, which its end removes. */
    runFolder: string
  }
}

const quiet = { info: () => {}, warn: (text: string) => process.stderr.write(`${text}\n`) }

/**
 * The second global set-up of vitest: provides one cluster for the whole run, with one migrated database to copy. The cluster
 * is an embedded one in a temporary folder, or the PostgreSQL server of TEST_DATABASE_URL if that is set.
 */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandonedFolders()
  const runFolder = mkdtempSync(path.join(tmpdir(), `${prefix}${process.pid}-`))
  // If root runs the tests, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(runFolder, 0o711)
  const externalUrl = process.env.TEST_DATABASE_URL
  const { adminUrl, stop } = externalUrl ? { adminUrl: externalUrl, stop: async () => {} } : await startEmbeddedCluster(runFolder)
  const admin = urlConnection(adminUrl)
  const template = `test_${randomUUID().replaceAll('-', '').slice(0, 12)}`
  await withSession(admin, (session) => session.query(`CREATE DATABASE ${template} TEMPLATE template0`))
  await applyMigrations(withDatabase(admin, template), quiet)
  project.provide('testCluster', { adminUrl, template, isEmbedded: !externalUrl })
  project.provide('runFolder', runFolder)
  return async () => {
    if (externalUrl) await withSession(admin, (session) => dropDatabases(session, template))
    await stop()
    rmSync(runFolder, { recursive: true, force: true })
  }
}

async function startEmbeddedCluster(folder: string): Promise<{ adminUrl: string; stop: () => Promise<void> }> {
  const cluster = await clusterFolder(folder, quiet)
  // No test of this cluster covers power loss. Without fsync a copy of a database takes a third of the time. The databases are
  // small and short-lived: nothing needs to be vacuumed.
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off', max_connections: '300' }
  const membership = await joinCluster(cluster, { role: 'command', holder: 'tests', log: quiet, settings })
  return {
    adminUrl: `postgresql://postgres@localhost:${socketPort}/postgres?host=${encodeURIComponent(membership.host)}`,
    stop: () => membership.leave(),
  }
}

const prefix = 'team-account-test-'

/** Removes the folders of test runs that were killed, and stops their clusters. */
async function removeAbandonedFolders(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const creatorPid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    if (!creatorPid || isAlive(Number(creatorPid))) continue
    const folder = path.join(tmpdir(), name)
    // The folder is incomplete if the run was killed early, or if another run removes it now.
    await clusterFolder(folder, quiet)
      .then(stopPostmaster)
      .catch((error: unknown) => quiet.warn(`${folder}: ${getErrorMessage(error)}`))
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function dropDatabases(session: pg.Client, namePrefix: string): Promise<void> {
  const { rows } = await session.query<{ name: string }>('SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)', [
    namePrefix,
  ])
  for (const { name } of rows) await session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
}
