import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, lchownSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { makeDataFolder } from '../../config/data-folder.ts'
import { getErrorMessage } from '../../config/error-message.ts'
import type { DatabaseLog } from './postgres-log.ts'
import { isPostmaster, readPostmasterFile } from './postmaster-file.ts'
import { canEnter, postgresUserFor } from './postgres-user.ts'

const systemFolder = '/var/lib/team-account-service'

/**
 * Returns the folder of the cluster: `database` in the data folder. If the service runs as root and PostgreSQL's user cannot enter
 * DATA_DIR, the whole data folder is below /var/lib and DATA_DIR is a link to it, so that the database and its secret key stay together.
 * Without the link, the next start creates a new, empty data folder.
 */
export function locateCluster(dataDir: string, log: DatabaseLog): string {
  const isNew = recoverMove(dataDir)
  // If there is a database, its owner is checked first, because that error explains more.
  const real = makeDataFolder(dataDir, !existsSync(path.join(dataDir, 'database')))
  const inside = path.join(real, 'database')
  if (existsSync(path.join(inside, 'cluster'))) return inside
  const link = path.join(realpathSync(path.dirname(dataDir)), path.basename(dataDir))
  const former = isNew ? undefined : formerCluster(link)
  if (former && isRunning(former)) return former
  if (!former && canEnter(postgresUserFor(inside), real)) return inside
  const target = isSystemFolder(real) ? real : moveDataFolder(link)
  log.info(`the data folder is ${target}, and ${link} is a link to it: PostgreSQL does not run as root, and its user cannot enter ${link}`)
  if (former) renameSync(former, path.join(target, 'database'))
  return path.join(target, 'database')
}

/** Returns the folder below /var/lib to which DATA_DIR is a link; undefined if the data is in DATA_DIR itself. */
export function linkedDataFolder(dataDir: string): string | undefined {
  if (!lstatSync(dataDir, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined
  const real = realpathSync(dataDir)
  return isSystemFolder(real) ? real : undefined
}

const isSystemFolder = (folder: string) => path.dirname(folder) === systemFolder

/** Returns the location in earlier versions, which stored only the database below /var/lib, under a name derived from DATA_DIR. */
function formerCluster(dataDir: string): string | undefined {
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  const folder = path.join(systemFolder, `${path.basename(path.dirname(dataDir))}-${hash}`)
  return existsSync(path.join(folder, 'cluster')) ? folder : undefined
}

/** Returns true if the cluster runs. It cannot be moved then and stays in its place until the next start after a stop. */
function isRunning(folder: string): boolean {
  const data = path.join(folder, 'cluster')
  const pid = readPostmasterFile(data)?.pid
  return pid !== undefined && isPostmaster(pid, data)
}

const nameDuringMove = (dataDir: string) => `${dataDir}.moved`

/** Restores the data folder of a process that was killed while it replaced the folder by a link. Returns true if there is none. */
function recoverMove(dataDir: string): boolean {
  if (lstatSync(dataDir, { throwIfNoEntry: false })) return false
  if (!existsSync(nameDuringMove(dataDir))) return true
  renameSync(nameDuringMove(dataDir), dataDir)
  return false
}

/** Moves the contents of the data folder to a new folder below /var/lib and replaces it by a link. Returns the new folder. */
function moveDataFolder(dataDir: string): string {
  let target: string | undefined
  try {
    mkdirSync(systemFolder, { recursive: true, mode: 0o755 })
    // The name contains that of the project, so that an administrator recognizes the folder.
    target = mkdtempSync(path.join(systemFolder, `${path.basename(path.dirname(dataDir))}-`))
    copyContents(dataDir, target)
    chmodSync(target, 0o711)
    renameSync(dataDir, nameDuringMove(dataDir))
    symlinkSync(target, dataDir)
    rmSync(nameDuringMove(dataDir), { recursive: true })
    return target
  } catch (cause) {
    if (target) rmSync(target, { recursive: true, force: true })
    recoverMove(dataDir)
    // Another process moved it first.
    if (linkedDataFolder(dataDir)) return realpathSync(dataDir)
    const reason = `PostgreSQL does not run as root, and its user cannot enter ${dataDir}`
    throw new Error(`${reason}, which cannot be moved below ${systemFolder}: choose another DATA_DIR (${getErrorMessage(cause)})`, {
      cause,
    })
  }
}

/** Copies files with their owners and modes, which `cpSync` does not preserve for folders. `to` stays closed to others meanwhile. */
function copyContents(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const { uid, gid, mode } = lstatSync(path.join(from, name))
    lchownSync(path.join(to, name), uid, gid)
    if (!lstatSync(path.join(to, name)).isSymbolicLink()) chmodSync(path.join(to, name), mode & 0o7777)
  }
}
