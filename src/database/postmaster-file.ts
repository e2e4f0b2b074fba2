import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../failure.ts'
import { isAlive } from './cluster-folder.ts'

/** What a running (or killed) PostgreSQL wrote about itself into its data directory. */
export interface PostmasterFile {
  pid: number
  /** Folder of its Unix socket. */
  socketFolder: string
  isReady: boolean
}

/** Reads `postmaster.pid`; undefined where there is none or it is only half written. */
export function readPostmasterFile(data: string): PostmasterFile | undefined {
  let lines: string[]
  try {
    lines = readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  const [pid, , , , socket, , , status] = lines
  if (!pid || !socket) return undefined
  return { pid: Number(pid), socketFolder: socket, isReady: status?.trim() === 'ready' }
}

/**
 * Whether a living process is the postmaster of this data directory, by the command it was started with; a dead one
 * that its parent has not noticed has none. (Its working directory would say the same, but only to a root that may
 * trace processes, which containers' may not.) Without /proc, any living process is taken for it.
 */
export function isPostmaster(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  if (!existsSync('/proc/self/cmdline')) return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return false
    throw error
  }
}
