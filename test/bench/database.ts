import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterFolder } from '../../src/database/cluster-folder.ts'
import { joinCluster } from '../../src/database/cluster.ts'
import { urlConnection, withDatabase, withSession } from '../../src/database/connection.ts'
import { applyMigrations } from '../../src/database/migrate.ts'
import { socketPort } from '../../src/database/socket-folder.ts'

const quiet = { info: () => {}, warn: (text: string) => process.stderr.write(`${text}\n`) }

export interface BenchDatabase {
  /** The migrated database, as DATABASE_URL. */
  url: string
  /** A folder that goes when the benchmark ends. */
  folder: string
  version: string
  close(): Promise<void>
}

/**
 * A migrated database without a row: on an embedded PostgreSQL with the service's own settings in a temporary folder
 * or, where `given` names one, made on that server. Nothing of either stays.
 */
export async function openBenchDatabase(given: string | undefined): Promise<BenchDatabase> {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-bench-'))
  // As root the service runs PostgreSQL as another user, who has to pass through.
  chmodSync(folder, 0o711)
  const membership = given
    ? undefined
    : await joinCluster(await clusterFolder(folder, quiet), { role: 'command', holder: `bench, pid ${process.pid}`, log: quiet })
  const adminUrl = given ?? `postgresql://postgres@localhost:${socketPort}/postgres?host=${encodeURIComponent(membership?.host ?? '')}`
  const admin = urlConnection(adminUrl)
  const name = `team_account_bench_${process.pid}`
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
      if (given) await withSession(admin, (session) => session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
      await membership?.leave()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
