import { chownSync, mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { clusterFolder } from '../../../src/database/embedded/folder.ts'
import type { ClusterFolder } from '../../../src/database/embedded/folder.ts'
import { startPostmaster, stopPostmaster } from '../../../src/database/embedded/postmaster.ts'
import { reservePort } from '../processes/port.ts'

/** A PostgreSQL server that listens on a TCP port, for tests that change its settings. */
export interface PostgresServer {
  port: number
  /** The URL of the database `postgres`, with a superuser. */
  url: string
  cluster: ClusterFolder
  /** Starts it, also again after `stop`. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

interface Options {
  /** Lines of pg_hba.conf. By default every connection is trusted. */
  hba?: string
  settings?: Record<string, string>
}

const quiet = { info: () => {}, warn: (text: string) => process.stderr.write(`${text}\n`) }

/** A folder that PostgreSQL's user can enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'team-account-postgres-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Creates a server of the embedded PostgreSQL's programs. `start` starts it. */
export async function createPostgresServer({ hba, settings = {} }: Options = {}): Promise<PostgresServer> {
  const folder = temporaryFolder()
  return serverOf(folder, await clusterFolder(folder, quiet), { hba, settings })
}

function serverOf(folder: string, cluster: ClusterFolder, { hba = trustAll, settings = {} }: Options): PostgresServer {
  const { port, release } = reservePort()
  const hbaFile = path.join(folder, 'pg_hba.conf')
  writeOwned(hbaFile, hba, cluster)
  const own = { listen_addresses: 'localhost', port: String(port), hba_file: hbaFile, fsync: 'off', autovacuum: 'off' }
  const stop = () => stopPostmaster(cluster)
  return {
    port,
    url: `postgresql://postgres@localhost:${port}/postgres`,
    cluster,
    async start() {
      release()
      const reason = await startPostmaster(cluster, { ...own, ...settings })
      if (reason !== undefined) throw new Error(`PostgreSQL did not start: ${reason}`)
    },
    stop,
    async remove() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Writes a file that only PostgreSQL's user can read. */
export function writeOwned(file: string, text: string, { user }: Pick<ClusterFolder, 'user'>): void {
  writeFileSync(file, text, { mode: 0o600 })
  if (user.uid !== undefined) chownSync(file, user.uid, user.gid)
}

const trustAll = 'local all all trust\nhost all all all trust\nlocal replication all trust\nhost replication all all trust\n'
