import { chownSync, lstatSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ClusterFolder } from './folder.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { socketPort } from './socket-connection.ts'

// sockaddr_un holds 108 bytes on Linux and 104 on macOS, including the final NUL. The lower limit works on both.
const maxSocketPathBytes = 103

/**
 * Returns a folder for the socket that only PostgreSQL's user and this process can enter: inside the cluster's folder, or a short folder
 * with a random name if that path is too long. Clients find it through `postmaster.pid`.
 */
export function socketFolder(cluster: Pick<ClusterFolder, 'folder' | 'data' | 'user'>): string {
  const inside = path.join(cluster.folder, 'socket')
  if (fits(inside)) {
    mkdirSync(inside, { recursive: true, mode: 0o700 })
    setOwner(inside, cluster)
    return inside
  }
  // After a crash, the pools of a running service still connect to the previous folder.
  const previous = announcedSocketFolder(cluster)
  if (previous && fits(previous)) return previous
  const parent = [tmpdir(), '/tmp'].find((folder) => fits(path.join(folder, 'team-account-XXXXXX'))) ?? '/tmp'
  const created = mkdtempSync(path.join(parent, 'team-account-'))
  setOwner(created, cluster)
  return created
}

/** Returns the socket folder of the running or killed server, if only PostgreSQL's user can still enter it. */
export function announcedSocketFolder(cluster: Pick<ClusterFolder, 'data' | 'user'>): string | undefined {
  const folder = readPostmasterFile(cluster.data)?.socketFolder
  return folder && isSafe(folder, cluster) ? folder : undefined
}

function fits(folder: string): boolean {
  return Buffer.byteLength(path.join(folder, `.s.PGSQL.${socketPort}.lock`)) <= maxSocketPathBytes
}

function setOwner(folder: string, { user }: Pick<ClusterFolder, 'user'>): void {
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
}

/** Returns true for a directory of the user. In a shared folder such as /tmp, another user may have created this name. */
function isSafe(folder: string, { user }: Pick<ClusterFolder, 'user'>): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  return !!stats?.isDirectory() && stats.uid === (user.uid ?? process.getuid?.()) && (stats.mode & 0o077) === 0
}
