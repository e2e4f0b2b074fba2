import { execFileSync } from 'node:child_process'
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
  /** A port that the caller has reserved and released. */
  port?: number
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
export async function createPostgresServer(options: Options = {}): Promise<PostgresServer> {
  const folder = temporaryFolder()
  return serverOf(folder, await clusterFolder(folder, quiet), options)
}

/** Creates a streaming standby from the files of a server that was stopped in order. Start the server again, then the standby. */
export function createStandby({ cluster, port: primaryPort }: PostgresServer, port: number): PostgresServer {
  const folder = temporaryFolder()
  const copy = { ...cluster, folder: path.join(folder, 'database'), data: path.join(folder, 'database', 'cluster') }
  // Keeps the owner, who is the user of PostgreSQL if root runs the tests.
  execFileSync('cp', ['-a', cluster.folder, copy.folder])
  writeOwned(path.join(copy.data, 'standby.signal'), '', cluster)
  return serverOf(folder, copy, { settings: { primary_conninfo: `host=localhost port=${primaryPort} user=postgres` }, port })
}

function serverOf(folder: string, cluster: ClusterFolder, { hba = trustAll, settings = {}, port = freePort() }: Options): PostgresServer {
  const hbaFile = path.join(folder, 'pg_hba.conf')
  writeOwned(hbaFile, hba, cluster)
  const own = { listen_addresses: 'localhost', port: String(port), hba_file: hbaFile, fsync: 'off', autovacuum: 'off' }
  const stop = () => stopPostmaster(cluster)
  return {
    port,
    url: `postgresql://postgres@localhost:${port}/postgres`,
    cluster,
    async start() {
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

function freePort(): number {
  const { port, release } = reservePort()
  release()
  return port
}

/** Writes a file that only PostgreSQL's user can read. */
export function writeOwned(file: string, text: string, { user }: Pick<ClusterFolder, 'user'>): void {
  writeFileSync(file, text, { mode: 0o600 })
  if (user.uid !== undefined) chownSync(file, user.uid, user.gid)
}

const trustAll = 'local all all trust\nhost all all all trust\nlocal replication all trust\nhost replication all all trust\n'
