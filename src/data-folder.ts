import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { hasCode, messageOf } from './failure.ts'

/**
 * Makes the data folder if need be and answers its real path. A normal user keeps it to themselves; as root it
 * must let pass, not read, the user that PostgreSQL runs as.
 */
export function makeDataFolder(dataFolder: string): string {
  try {
    makeLevels(path.resolve(dataFolder), process.getuid?.() === 0 ? 0o711 : 0o700)
    return realpathSync(dataFolder)
  } catch (error) {
    throw new Error(`DATA_DIR ${dataFolder} cannot be a folder: ${messageOf(error)}`, { cause: error })
  }
}

// Level by level: Node's own recursive way goes in circles where a file system refuses with ENOENT, as /proc does.
function makeLevels(folder: string, mode: number): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error('it is a file')
    return
  }
  makeLevels(path.dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** Makes names that were created, linked or renamed in `folder` survive power loss. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
