import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { locateCluster } from '../../../src/database/embedded/data-location.ts'
import { createUsedDataFolder } from '../../support/processes/data-folder.ts'
import { isFull } from '../../support/service/full.ts'
import { startMain } from '../../support/processes/service-process.ts'
import { startDatabaseProcess } from '../../support/processes/database/start-database-process.ts'

const isRoot = process.getuid?.() === 0
const systemFolder = '/var/lib/team-account-service'
const quiet = { info: () => {}, warn: () => {} }
let data: Awaited<ReturnType<typeof createUsedDataFolder>>
/** The folders below /var/lib of the data folder of this test, and none of another process: a service may run on this machine. */
const ownSystemFolders = () => {
  const names = existsSync(systemFolder) ? readdirSync(systemFolder) : []
  return names
    .filter((name) => name.startsWith(`${path.basename(path.dirname(data.folder))}-`))
    .map((name) => path.join(systemFolder, name))
}

beforeEach(async () => {
  data = await createUsedDataFolder()
  chmodSync(path.dirname(data.folder), 0o700)
})
afterEach(async () => {
  await data.remove()
  for (const folder of ownSystemFolders()) rmSync(folder, { recursive: true })
})

/** Runs `work` on the database of the data folder, in a service that stops afterwards. */
async function inDatabase<Row extends object>(sql: string): Promise<Row[]> {
  const service = startDatabaseProcess('service', data.folder)
  const { poolConfig } = await service.opened
  const { rows } = await withSession(poolConfig, (session) => session.query<Row>(sql))
  await service.stop()
  return rows
}

/** Arranges the files as earlier versions did: the database alone below /var/lib, the rest in DATA_DIR. */
function separate(): string {
  const hash = createHash('sha256').update(data.folder).digest('hex').slice(0, 12)
  const former = path.join(systemFolder, `${path.basename(path.dirname(data.folder))}-${hash}`)
  mkdirSync(systemFolder, { recursive: true })
  renameSync(path.join(data.folder, 'database'), former)
  writeFileSync(path.join(data.folder, 'secret-key'), 'k'.repeat(43), { mode: 0o600 })
  mkdirSync(path.join(data.folder, 'mail'), { mode: 0o700 })
  writeFileSync(path.join(data.folder, 'mail', 'one.json'), '{}', { mode: 0o600 })
  return former
}

const addTeam = `INSERT INTO teams (slug, name) VALUES ('kept', 'Kept')`
const slugs = `SELECT slug FROM teams WHERE slug = 'kept'`

describe.runIf(isRoot)('a service that root starts where PostgreSQL’s user cannot enter the data folder', () => {
  test.runIf(isFull)('keeps the whole data folder below /var/lib, links DATA_DIR to it and says so', async () => {
    rmSync(data.folder, { recursive: true })
    const service = startMain({ DATA_DIR: data.folder, LOG_LEVEL: 'error' })
    await service.origin
    service.signal('SIGTERM')
    await service.ended
    const target = realpathSync(data.folder)
    expect(lstatSync(data.folder).isSymbolicLink()).toBe(true)
    expect(path.dirname(target)).toBe(systemFolder)
    expect(readdirSync(target)).toEqual(expect.arrayContaining(['database', 'secret-key']))
    expect(statSync(path.join(target, 'secret-key'))).toMatchObject({ uid: 0, mode: 0o100600 })
    const { stdout } = service.output()
    expect(stdout).toContain(`Its data, with the secret key, is in ${target}: the service runs as root`)
    expect(stdout).toContain(`enter ${data.folder}, which is a link to it.`)
  })

  test('keeps the folder of the link although PostgreSQL’s user could enter DATA_DIR later', () => {
    rmSync(data.folder, { recursive: true })
    const cluster = locateCluster(data.folder, quiet)
    mkdirSync(path.join(cluster, 'cluster'), { recursive: true })
    chmodSync(path.dirname(data.folder), 0o711)
    expect(locateCluster(data.folder, quiet)).toBe(cluster)
  })

  test('uses a new, empty folder after the link was deleted, and keeps the former one', () => {
    rmSync(data.folder, { recursive: true })
    const first = locateCluster(data.folder, quiet)
    writeFileSync(path.join(data.folder, 'secret-key'), 'k'.repeat(43))
    unlinkSync(data.folder)
    const second = locateCluster(data.folder, quiet)
    expect(second).not.toBe(first)
    expect([readdirSync(data.folder), existsSync(path.join(path.dirname(first), 'secret-key'))]).toEqual([[], true])
  })

  test('refuses a link to a folder that does not exist with one line', () => {
    rmSync(data.folder, { recursive: true })
    const target = path.dirname(locateCluster(data.folder, quiet))
    rmSync(target, { recursive: true })
    expect(() => locateCluster(data.folder, quiet)).toThrow(
      `DATA_DIR ${data.folder} cannot be a folder: it is a link to ${target}, which does not exist; restore it, or delete the link to start with no data`,
    )
  })

  test('joins a database that an earlier version stored below /var/lib with its secret key and mails', async () => {
    const former = separate()
    await inDatabase(addTeam)
    const target = realpathSync(data.folder)
    expect([path.dirname(target), existsSync(former)]).toEqual([systemFolder, false])
    expect(readdirSync(target).toSorted()).toEqual(['database', 'mail', 'secret-key'])
    expect(readFileSync(path.join(target, 'secret-key'), 'utf8')).toBe('k'.repeat(43))
    expect(statSync(path.join(target, 'secret-key')).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(target, 'mail')).mode & 0o777).toBe(0o700)
    expect(readdirSync(path.dirname(data.folder))).toEqual([path.basename(data.folder)])
    expect(await inDatabase(slugs)).toEqual([{ slug: 'kept' }])
  })

  test('ignores the database of an earlier version when the data folder was deleted', () => {
    const former = separate()
    rmSync(data.folder, { recursive: true })
    expect(existsSync(path.join(locateCluster(data.folder, quiet), 'cluster'))).toBe(false)
    expect(existsSync(path.join(former, 'cluster'))).toBe(true)
  })

  test('continues a move that was interrupted before the link was made', () => {
    separate()
    renameSync(data.folder, `${data.folder}.moved`)
    expect(readdirSync(locateCluster(data.folder, quiet))).toContain('cluster')
    expect(readdirSync(realpathSync(data.folder)).toSorted()).toEqual(['database', 'mail', 'secret-key'])
    expect(readdirSync(path.dirname(data.folder))).toEqual([path.basename(data.folder)])
  })
})
