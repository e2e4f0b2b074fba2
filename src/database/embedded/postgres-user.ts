import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** The user that runs PostgreSQL's programs, as options of `spawn`; empty for the user of this process. */
export type PostgresUser = { uid: number; gid: number } | Record<string, never>

const runsAsRoot = process.getuid?.() === 0

/**
 * Returns the user for PostgreSQL, which refuses to run as root. A service that runs as root uses the owner of `folder` if that is not
 * root, because that user started the service before. Otherwise it uses `nobody`, which every system has.
 */
export function postgresUserFor(folder: string): PostgresUser {
  if (!runsAsRoot) return {}
  const owner = statSync(folder, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobodyUser()
}

/** Returns true if `user` can enter `folder`. Runs `cd` as that user, because modes, access lists and mounts all matter. */
export function canEnter(user: PostgresUser, folder: string): boolean {
  if (user.uid === undefined) return true
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0
}

/** Reads the ids of the system user `nobody`. */
function nobodyUser(): { uid: number; gid: number } {
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(entry?.[1] ?? 65534), gid: Number(entry?.[2] ?? 65534) }
}
