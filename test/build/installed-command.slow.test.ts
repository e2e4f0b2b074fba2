import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readVersion } from '../../src/config/version.ts'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { childEnvironment } from '../support/processes/child-environment.ts'
import { useDatabase } from '../support/service/database.ts'

const start = promisify(execFile)

describe('the command team-account that npm install --global installs', () => {
  const database = useDatabase()
  let prefix: string
  let folder: string

  beforeAll(async () => {
    prefix = realpathSync(mkdtempSync(path.join(tmpdir(), 'team-account-installed-')))
    folder = path.join(prefix, 'elsewhere')
    mkdirSync(folder)
    await start('npm', ['install', '--global', '--offline', '--prefix', prefix, projectFolder], { cwd: folder })
  })
  afterAll(() => rmSync(prefix, { recursive: true, force: true }))

  /** Runs the command in a folder that is not the service's. */
  const run = (line: string[], settings: Record<string, string> = {}) =>
    start(path.join(prefix, 'bin', 'team-account'), line, {
      cwd: folder,
      env: childEnvironment({ DATABASE_URL: database.url, ...settings }),
    })

  test('runs from any folder, and is named in its help and in errors', async () => {
    expect((await run(['-v'])).stdout).toBe(`team-account-service ${await readVersion()}\n`)
    expect((await run(['team', 'create', '--help'])).stdout).toMatch(/^Usage: team-account team create /)
    await expect(run(['team', 'lst'])).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(see: team-account team --help)'),
    })
  })

  test('reads and writes files in the folder of the user', async () => {
    writeFileSync(path.join(folder, 'people.ndjson'), '{"type":"user","email":"ada@example.com","name":"Ada"}\n')
    writeFileSync(path.join(folder, 'passphrase'), 'correct horse battery\n')
    await run(['import', 'people.ndjson'])
    await run(['export', 'exported.ndjson'])
    expect(readFileSync(path.join(folder, 'exported.ndjson'), 'utf8')).toContain('"ada@example.com"')
    await run(['audit', 'export', 'audit.ndjson'])
    expect(readFileSync(path.join(folder, 'audit.ndjson'), 'utf8')).toContain('"subject":"people.ndjson"')
    const { stdout } = await run(['backup', 'saved.backup', '--encrypt', '--passphrase-file', 'passphrase', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ file: 'saved.backup', encrypted: true })
    expect(existsSync(path.join(folder, 'saved.backup'))).toBe(true)
    await expect(run(['backup', 'saved.backup'])).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('saved.backup exists') })
    await expect(run(['restore', 'saved.backup', '--passphrase-file', 'passphrase'])).rejects.toMatchObject({
      stderr: expect.stringContaining('nothing was changed'),
    })
  })

  test('takes a relative DATA_DIR of the environment from the folder of the user', async () => {
    await run(['keys', 'reencrypt'], { DATA_DIR: 'data-of-the-user' })
    expect(existsSync(path.join(folder, 'data-of-the-user', 'secret-key'))).toBe(true)
  })

  test('uses the Node that npm installed with the service, whichever comes first in PATH', async () => {
    const programs = path.join(prefix, 'programs')
    mkdirSync(programs)
    writeFileSync(path.join(programs, 'node'), '#!/bin/sh\necho "an old Node" >&2\nexit 1\n')
    chmodSync(path.join(programs, 'node'), 0o755)
    expect((await run(['-v'], { PATH: `${programs}:/usr/bin:/bin` })).stdout).toBe(`team-account-service ${await readVersion()}\n`)
  })
})
