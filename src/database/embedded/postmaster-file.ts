import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../../config/error-message.ts'

/** The contents of `postmaster.pid`, which a running or killed PostgreSQL left in its data directory. */
interface PostmasterFile {
  pid: number
  /** Folder of the Unix socket. */
  socketFolder: string
  isReady: boolean
}

/** Reads `postmaster.pid`; undefined if it does not exist or is not fully written yet. */
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
 * Returns true if a running process is the postmaster of this data directory, by its command line; a zombie process has none. (Its working
 * directory would identify it too, but reading that requires a permission that root in a container may lack.) Without /proc, every running
 * process counts as the postmaster.
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

/** Returns true if a process with this id exists, whatever its owner. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
