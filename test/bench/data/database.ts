import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterFolder } from '../../../src/database/embedded/folder.ts'
import { joinCluster } from '../../../src/database/embedded/embedded-postgres.ts'
import { urlConnection, withDatabase, withSession } from '../../../src/database/connection.ts'
import { applyMigrations } from '../../../src/database/apply-migrations.ts'
import { socketPort } from '../../../src/database/embedded/socket-connection.ts'

const quiet = { info: () => {}, warn: (text: string) => process.stderr.write(`${text}\n`) }

export interface BenchDatabase {
  /** The DATABASE_URL of the migrated database. */
  url: string
  /** A folder that `close` removes. */
  folder: string
  /** The version of the PostgreSQL server. */
  version: string
  close(): Promise<void>
}

/**
 * Creates a migrated, empty database: on the server of `serverUrl` or, if that is undefined, on an embedded PostgreSQL in a
 * temporary folder with the settings of the service. `close` removes everything.
 */
export async function openBenchDatabase(serverUrl: string | undefined, purpose = 'main'): Promise<BenchDatabase> {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-bench-'))
  // If root runs the benchmark, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711)
  const membership = serverUrl
    ? undefined
    : await joinCluster(await clusterFolder(folder, quiet), { role: 'command', holder: `bench, pid ${process.pid}`, log: quiet })
  const adminUrl = serverUrl ?? `postgresql://postgres@localhost:${socketPort}/postgres?host=${encodeURIComponent(membership?.host ?? '')}`
  const admin = urlConnection(adminUrl)
  const name = `team_account_bench_${purpose}_${process.pid}`
  const version = await withSession(admin, async (session) => {
    await session.query(`CREATE DATABASE ${name} TEMPLATE template0`)
    const { rows } = await session.query<{ server_version: string }>('SHOW server_version')
    return rows[0]?.server_version ?? ''
  })
  await applyMigrations(withDatabase(admin, name), quiet)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    folder,
    version,
    async close() {
      if (serverUrl) await withSession(admin, (session) => session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
      await membership?.leave()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
