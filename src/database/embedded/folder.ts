import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { nameDataFolder, syncFolder } from '../../config/data-folder.ts'
import { hasCode } from '../../config/error-message.ts'
import { locateCluster } from './data-location.ts'
import { isAlive } from './postmaster-file.ts'
import type { DatabaseLog } from './postgres-log.ts'
import { postgresPrograms } from './postgres-programs.ts'
import type { PostgresPrograms } from './postgres-programs.ts'
import { canEnter, postgresUserFor } from './postgres-user.ts'
import type { PostgresUser } from './postgres-user.ts'

/** An initialised cluster, running or not: its location, operating system user and programs. */
export interface ClusterFolder {
  /** Folder of the cluster, its socket and its log; mode 0700. */
  folder: string
  /** PostgreSQL's data directory. */
  data: string
  user: PostgresUser
  programs: PostgresPrograms
}

/**
 * Finds or creates the cluster of a data folder. A process that is killed at any moment never leaves a partial cluster, because it is
 * created under another name, synced and then renamed.
 */
export async function clusterFolder(dataFolder: string, log: DatabaseLog): Promise<ClusterFolder> {
  try {
    return await findOrCreate(dataFolder, log)
  } catch (error) {
    throw nameDataFolder(dataFolder, error)
  }
}

async function findOrCreate(dataFolder: string, log: DatabaseLog): Promise<ClusterFolder> {
  const folder = locateCluster(dataFolder, log)
  const user = postgresUserFor(folder)
  claimFolder(folder, user)
  const data = path.join(folder, 'cluster')
  const programs = postgresPrograms(folder, user)
  await removeAbandoned(folder)
  if (!existsSync(data)) await initialise({ folder, data, user, programs })
  refuseOtherMajor(data, programs)
  return { folder, data, user, programs }
}

function claimFolder(folder: string, user: PostgresUser): void {
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o755 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = statSync(folder)
  if (user.uid === undefined) {
    if (uid === process.getuid?.()) return
    throw new Error(`${folder} belongs to the user with id ${uid}: start the service as that user or choose another DATA_DIR`)
  }
  if (uid === 0) chownSync(folder, user.uid, user.gid)
  if (canEnter(user, folder)) return
  throw new Error(`the user with id ${user.uid}, which owns ${folder}, cannot enter it`)
}

/**
 * Initialises a cluster that sorts texts by their bytes. Upper and lower case are those of Unicode, from PostgreSQL's own tables. Those of
 * the operating system can change with its version, which would damage indexes on names in lower case.
 */
async function initialise({ folder, data, user, programs }: ClusterFolder): Promise<void> {
  const partial = path.join(folder, `initialising-${process.pid}-${randomUUID()}`)
  const options = ['--username=postgres', '--encoding=UTF8', '--auth-local=trust', '--auth-host=reject']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  try {
    await runProgram(programs.initdb, [`--pgdata=${partial}`, ...options, ...locale], user)
    await rename(partial, data)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    // Another process created the cluster first, which is used.
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return
    throw error
  }
  syncFolder(folder)
}

/** Removes the partial folders of killed processes. The age check covers process ids that were reused. */
async function removeAbandoned(folder: string): Promise<void> {
  const maxAgeSeconds = 600
  for (const name of await readdir(folder)) {
    const pid = /^(?:initialising|copying)-(\d+)-/.exec(name)?.[1]
    if (!pid) continue
    const entry = path.join(folder, name)
    const stats = await stat(entry).catch(() => undefined)
    const isOld = !stats || Date.now() - stats.birthtimeMs > maxAgeSeconds * 1000
    // The removal is retried, because the initdb may still be writing for a moment.
    if (isOld || !isAlive(Number(pid))) await rm(entry, { recursive: true, force: true, maxRetries: 10 })
  }
}

function refuseOtherMajor(data: string, programs: PostgresPrograms): void {
  const clusterVersion = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim()
  if (clusterVersion === programs.version.split('.')[0]) return
  throw new Error(
    `the database in ${data} was created by PostgreSQL ${clusterVersion}, and this service includes ${programs.version}: ` +
      'write a backup with the version of the service that created it, then restore it into a new data folder',
  )
}

/**
 * Runs one of PostgreSQL's programs; if it fails, throws with the first error line of its output. It inherits no
 * environment and has its own process group, so that Ctrl-C does not interrupt it.
 */
async function runProgram(program: string, options: string[], user: PostgresUser): Promise<void> {
  const child = spawn(program, options, { ...user, cwd: '/', env: { LC_ALL: 'C' }, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const exit = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [status, output] = await Promise.all([exit, text(child.stderr)])
  if (status === 0) return
  const reason = output.split('\n').find((line) => /error|fatal|could not/i.test(line)) ?? output.split('\n', 1)[0]
  throw new Error(`${path.basename(program)} failed: ${reason?.replace(/^\w+: /, '')}`)
}
