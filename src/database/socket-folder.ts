import { chownSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ClusterFolder } from './cluster-folder.ts'
import { readPostmasterFile } from './postmaster-file.ts'

/** The part of a socket's name that PostgreSQL adds to the folder: the port, which nothing else uses. */
export const socketPort = 5432

// sockaddr_un holds 108 bytes with the NUL at the end; macOS 104. The shorter of the two serves both.
const longestSocketBytes = 103

/**
 * A folder for the socket that only PostgreSQL's user and ourselves can enter: inside the cluster's folder, or,
 * where that lies too deep, a short one of random name. Clients find it through `postmaster.pid`.
 */
export function socketFolder(cluster: Pick<ClusterFolder, 'folder' | 'data' | 'user'>): string {
  const inside = path.join(cluster.folder, 'socket')
  if (fits(inside)) {
    mkdirSync(inside, { recursive: true, mode: 0o700 })
    own(inside, cluster)
    return inside
  }
  // After a crash the pools of a running service still look where the socket was.
  const before = announcedSocketFolder(cluster)
  if (before && fits(before)) return before
  const parent = [tmpdir(), '/tmp'].find((folder) => fits(path.join(folder, 'team-account-XXXXXX'))) ?? '/tmp'
  const made = mkdtempSync(path.join(parent, 'team-account-'))
  own(made, cluster)
  return made
}

/** Where the running (or killed) server has its socket, if that folder is still PostgreSQL's alone. */
export function announcedSocketFolder(cluster: Pick<ClusterFolder, 'data' | 'user'>): string | undefined {
  const folder = readPostmasterFile(cluster.data)?.socketFolder
  return folder && isSafe(folder, cluster) ? folder : undefined
}

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, `.s.PGSQL.${socketPort}.lock`)) <= longestSocketBytes
}

function own(folder: string, { user }: Pick<ClusterFolder, 'user'>): void {
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
}

/** In a folder open to all, somebody else may have made one of that name: it must be a real one, and ours. */
function isSafe(folder: string, { user }: Pick<ClusterFolder, 'user'>): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return !!found?.isDirectory() && found.uid === (user.uid ?? process.getuid?.()) && (found.mode & 0o077) === 0
}
