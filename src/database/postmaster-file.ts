import { readFileSync } from 'node:fs'
import path from 'node:path'
import { hasCode } from '../failure.ts'

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
