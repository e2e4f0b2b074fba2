import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { hasCode, getErrorMessage } from './error-message.ts'
import { ConfigError } from './setting-text.ts'

/**
 * Creates the data folder if it does not exist, and returns its real path. Only its owner can enter it. A folder created by root can be
 * passed through, but not listed, because PostgreSQL then runs as another user. Throws an error with the name of the setting if it cannot
 * be created or written.
 */
export function makeDataFolder(dataFolder: string, mustBeWritable = true): string {
  try {
    makeFolder(path.resolve(dataFolder), process.getuid?.() === 0 ? 0o711 : 0o700)
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataFolder} cannot be a folder: ${getErrorMessage(error)}`, { cause: error })
  }
  try {
    if (mustBeWritable) accessSync(dataFolder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new ConfigError(`DATA_DIR ${dataFolder} cannot be written: ${getErrorMessage(error)}`, { cause: error })
  }
  return realpathSync(dataFolder)
}

/** Adds the name of the setting to an error of the file system. Returns any other error unchanged. */
export function nameDataFolder(dataFolder: string, error: unknown): unknown {
  if (!(error instanceof Error && 'path' in error)) return error
  return new ConfigError(`DATA_DIR ${dataFolder} cannot be used: ${getErrorMessage(error)}`, { cause: error })
}

// Node's `recursive: true` loops forever on a file system that refuses a new folder with ENOENT, such as /proc.
function makeFolder(folder: string, mode: number): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Error('it is a file')
    return
  }
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Error(`it is a link to ${readlinkSync(folder)}, which does not exist; restore it, or delete the link to start with no data`)
  }
  makeFolder(path.dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** Flushes the directory entries of `folder`, so that created, linked and renamed files survive a power failure. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
