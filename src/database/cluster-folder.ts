import { createHash, randomUUID } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { makeDataFolder, syncFolder } from '../data-folder.ts'
import { hasCode } from '../failure.ts'
import type { DatabaseLog } from './log.ts'
import { postgresPrograms } from './postgres-programs.ts'
import type { PostgresPrograms } from './postgres-programs.ts'
import { canEnter, postgresUserFor } from './postgres-user.ts'
import type { PostgresUser } from './postgres-user.ts'
import { runProgram } from './run-program.ts'

/** An initialised cluster at rest or running: where it lies, who runs it, with which programs. */
export interface ClusterFolder {
  /** Ours, mode 0700: holds the cluster, its socket and its log. */
  folder: string
  /** PostgreSQL's data directory. */
  data: string
  user: PostgresUser
  programs: PostgresPrograms
}

// Where the data folder lies out of reach for the user PostgreSQL has to run as.
const systemFolder = '/var/lib/team-account-service'

/**
 * Finds the cluster of a data folder or makes it. Whatever moment the process is killed at, a cluster is
 * either there and whole or not there: it is made under another name, synced, and renamed.
 */
export async function clusterFolder(dataFolder: string, log: DatabaseLog): Promise<ClusterFolder> {
  const folder = place(dataFolder, log)
  const user = postgresUserFor(folder)
  claim(folder, user)
  const data = path.join(folder, 'cluster')
  const programs = postgresPrograms(folder, user)
  await removeAbandoned(folder)
  if (!existsSync(data)) await initialise(folder, data, user, programs)
  refuseOtherMajor(data, programs)
  return { folder, data, user, programs }
}

function place(dataFolder: string, log: DatabaseLog): string {
  const real = makeDataFolder(dataFolder)
  const here = path.join(real, 'database')
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 12)
  // Named after the project as well, for the person who finds it there.
  const away = path.join(systemFolder, `${path.basename(path.dirname(real))}-${hash}`)
  if (existsSync(path.join(here, 'cluster'))) return here
  if (!existsSync(away) && canEnter(postgresUserFor(here), real)) return here
  log.info(`the database is kept in ${away}: PostgreSQL does not run as root, and its user cannot enter ${real}`)
  return away
}

function claim(folder: string, user: PostgresUser): void {
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o755 })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid } = statSync(folder)
  if (user.uid === undefined) {
    if (uid === process.getuid?.()) return
    throw new Error(`${folder} belongs to the user with id ${uid}: start the service as that user or choose another DATA_DIR`)
  }
  if (uid === 0) chownSync(folder, user.uid, user.gid)
  if (canEnter(user, folder)) return
  throw new Error(`${folder} cannot be entered by the user with id ${user.uid}, to whom it belongs`)
}

async function initialise(folder: string, data: string, user: PostgresUser, programs: PostgresPrograms) {
  const half = path.join(folder, `initialising-${process.pid}-${randomUUID()}`)
  const options = ['--username=postgres', '--encoding=UTF8', '--locale=C', '--auth-local=trust', '--auth-host=reject']
  try {
    await runProgram(programs.initdb, [`--pgdata=${half}`, ...options], user)
    await rename(half, data)
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    // Another process was faster: its cluster is as good.
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST')) return
    throw error
  }
  syncFolder(folder)
}

/** Removes what a killed process left half-made: its process is gone, or its number was given to another. */
async function removeAbandoned(folder: string): Promise<void> {
  const longestSeconds = 600
  for (const name of await readdir(folder)) {
    const maker = /^(?:initialising|copying)-(\d+)-/.exec(name)?.[1]
    if (!maker) continue
    const entry = path.join(folder, name)
    const made = await stat(entry).catch(() => undefined)
    const isOld = !made || Date.now() - made.birthtimeMs > longestSeconds * 1000
    // Its initdb may live a moment longer and still be writing.
    if (isOld || !isAlive(Number(maker))) await rm(entry, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Whether a process with this number exists, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

function refuseOtherMajor(data: string, programs: PostgresPrograms): void {
  const found = readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim()
  if (found === programs.version.split('.')[0]) return
  throw new Error(
    `the database in ${data} was made by PostgreSQL ${found}, and this service carries ${programs.version}: ` +
      'export it with the version of the service that made it, then import it into a new data folder',
  )
}
