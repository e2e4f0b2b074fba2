import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'

/** Whom PostgreSQL's programs run as, in the form `spawn` takes; empty when that is ourselves. */
export type PostgresUser = { uid: number; gid: number } | Record<string, never>

const runsAsRoot = process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root. A root service runs it as the owner of `folder` if that is a normal user
 * (someone started the service as themselves before), else as `nobody`, who exists everywhere.
 */
export function postgresUserFor(folder: string): PostgresUser {
  if (!runsAsRoot) return {}
  const owner = statSync(folder, { throwIfNoEntry: false })
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody()
}

/** Whether `user` can enter `folder`. Tried, not reasoned: modes, access lists and mounts all have a say. */
export function canEnter(user: PostgresUser, folder: string): boolean {
  if (user.uid === undefined) return true
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0
}

function nobody(): { uid: number; gid: number } {
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return { uid: Number(entry?.[1] ?? 65534), gid: Number(entry?.[2] ?? 65534) }
}
