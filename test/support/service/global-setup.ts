import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { getErrorMessage } from '../../../src/config/error-message.ts'
import { clusterFolder } from '../../../src/database/embedded/folder.ts'
import { isAlive } from '../../../src/database/embedded/postmaster-file.ts'
import { joinCluster } from '../../../src/database/embedded/embedded-postgres.ts'
import { urlConnection, withDatabase, withSession } from '../../../src/database/connection.ts'
import { applyMigrations } from '../../../src/database/apply-migrations.ts'
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
  const runFolder = createFolder(tmpdir())
  const externalUrl = process.env.TEST_DATABASE_URL
  const { adminUrl, stop } = externalUrl ? { adminUrl: externalUrl, stop: async () => {} } : await startEmbeddedCluster()
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

/** A file system in memory, where a copy of a database, which has 400 files, takes a thirtieth of the time that it takes on a disk. */
const memoryFolder = '/dev/shm'
/** More than the databases of all workers at one time, the template and the log of changes need. */
const memoryBytes = 3 * 1024 ** 3

function hasMemory(): boolean {
  if (!existsSync(memoryFolder)) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return Math.min(bavail * bsize, process.availableMemory()) > memoryBytes
}

const prefix = 'team-account-test-'

function createFolder(parent: string): string {
  const folder = mkdtempSync(path.join(parent, `${prefix}${process.pid}-`))
  // If root runs the tests, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  return folder
}

async function startEmbeddedCluster(): Promise<{ adminUrl: string; stop: () => Promise<void> }> {
  const folder = createFolder(hasMemory() ? memoryFolder : tmpdir())
  const cluster = await clusterFolder(folder, quiet)
  // No test of this cluster covers power loss. The databases are small and short-lived: nothing needs to be vacuumed.
  const durability = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
  const settings = { ...durability, autovacuum: 'off', max_connections: '300', max_wal_size: '256MB' }
  const membership = await joinCluster(cluster, { role: 'command', holder: 'tests', log: quiet, settings })
  return {
    adminUrl: `postgresql://postgres@localhost:${socketPort}/postgres?host=${encodeURIComponent(membership.host)}`,
    async stop() {
      await membership.leave()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Removes the folders of test runs that were killed, and stops their clusters. */
async function removeAbandonedFolders(): Promise<void> {
  const parents = [tmpdir(), ...(existsSync(memoryFolder) ? [memoryFolder] : [])]
  for (const folder of parents.flatMap((parent) => readdirSync(parent).map((name) => path.join(parent, name)))) {
    const creatorPid = new RegExp(`^${prefix}(\\d+)-`).exec(path.basename(folder))?.[1]
    if (!creatorPid || isAlive(Number(creatorPid))) continue
    // The folder is incomplete if the run was killed early, or if another run removes it now.
    if (existsSync(path.join(folder, 'database')))
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
