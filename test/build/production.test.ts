import { execFile } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { startMain } from '../support/processes/service-process.ts'
import type { ServiceProcess, Settings } from '../support/processes/service-process.ts'

// Copies 210 MB, so it runs in the full suite only. Root ignores file permissions, so root runs everything as `nobody`.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

describe.runIf(process.env.TEST_FULL)('a built tree after npm prune --omit=dev, on a read-only file system', () => {
  let folder: string
  let settings: Settings
  let service: ServiceProcess

  beforeAll(async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'team-account-production-'))
    chmodSync(parent, 0o755)
    folder = path.join(parent, 'installation')
    const dataFolder = path.join(parent, 'data')
    mkdirSync(dataFolder, { mode: 0o700 })
    if (user.uid !== undefined) chownSync(dataFolder, user.uid, user.gid)
    copyProduction(folder)
    settings = { DATA_DIR: dataFolder, NODE_ENV: 'production', SECRET_KEY: 'k'.repeat(32) }
    service = startMain(settings, { folder, ...user })
    await service.origin
  }, 180_000)

  afterAll(async () => {
    service.signal('SIGTERM')
    await service.ended
    setWritable(folder, true)
    rmSync(path.dirname(folder), { recursive: true, force: true })
  }, 180_000)

  const run = (...line: string[]) => promisify(execFile)(process.execPath, line, { cwd: folder, env: settings, ...user })

  test('contains no build tool', () => {
    const tools = ['prisma', 'esbuild', '@scalar/api-reference', 'typescript', 'tsx', 'vitest', '@graphql-codegen', '@prisma/client']
    expect(tools.filter((name) => existsSync(path.join(folder, 'node_modules', name)))).toEqual([])
  })

  test('counts as current, so that npm start builds nothing', async () => {
    expect(await run('build/main.ts')).toEqual({ stdout: '', stderr: '' })
  })

  test.each([
    ['/api/v1/teams', 401],
    ['/sign-in', 200],
    ['/api/docs', 200],
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
})

/** Copies the project with the packages that `npm prune --omit=dev` keeps, without Node itself, and write-protects it. */
function copyProduction(target: string): void {
  mkdirSync(target)
  for (const name of ['package.json', 'package-lock.json', 'build', 'dist', 'prisma', 'schema', 'rest-facade', 'src']) {
    cpSync(path.join(projectFolder, name), path.join(target, name), { recursive: true })
  }
  const lockFile = readFileSync(path.join(projectFolder, 'package-lock.json'), 'utf8')
  const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(lockFile)
  for (const [name, { dev }] of Object.entries(lock.packages)) {
    const isKept = name.startsWith('node_modules/') && !dev && !name.startsWith('node_modules/node-linux-')
    const source = path.join(projectFolder, name)
    if (!isKept || !existsSync(source)) continue
    // Packages below a package have entries of their own.
    const filter = (file: string) => file === source || path.basename(file) !== 'node_modules'
    cpSync(source, path.join(target, name), { recursive: true, verbatimSymlinks: true, filter })
  }
  setWritable(target, false)
}

function setWritable(folder: string, isWritable: boolean): void {
  chmodSync(folder, isWritable ? 0o755 : 0o555)
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) chmodSync(path.join(entry.parentPath, entry.name), isWritable ? 0o755 : 0o555)
  }
}
