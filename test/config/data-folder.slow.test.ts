import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { projectFolder } from '../../schema/core/project-folder.ts'
import { childEnvironment } from '../support/processes/child-environment.ts'
import { startMain } from '../support/processes/service-process.ts'
import { useDatabase } from '../support/service/database.ts'

const { url } = useDatabase()
// Root ignores file permissions, so root starts the service as another user.
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test.each([
  ['for the embedded database', {}],
  ['for the secret key', { DATABASE_URL: url }],
])('a start whose DATA_DIR cannot be written, %s, prints one line that names the setting', async (_, settings) => {
  const parent = mkdtempSync(path.join(inject('runFolder'), 'unwritable-'))
  chmodSync(parent, 0o755)
  const folder = path.join(parent, 'data')
  mkdirSync(folder)
  chmodSync(folder, 0o555)
  const service = startMain({ DATA_DIR: folder, LOG_LEVEL: 'error', ...settings }, user)
  expect(await service.ended).toBe(1)
  expect(service.output()).toEqual({
    stdout: '',
    stderr: `DATA_DIR ${folder} cannot be written: EACCES: permission denied, access '${folder}'\n`,
  })
})

describe.each([
  ['embedded database', {}],
  ['secret key', { DATABASE_URL: url }],
])('with the %s', (_, settings) => {
  /** A folder in one that may not be entered. */
  function createLockedFolder(): string {
    const parent = mkdtempSync(path.join(inject('runFolder'), 'locked-'))
    const folder = path.join(parent, 'data')
    mkdirSync(folder)
    chmodSync(parent, 0o000)
    return folder
  }

  test.each([
    ['below a file', () => '/dev/null/data'],
    ['in a folder that may not be entered', createLockedFolder],
  ])('a start and a command whose DATA_DIR is %s fail with one line that names the setting', async (__, create) => {
    const folder = create()
    const line = expect.stringMatching(new RegExp(`^DATA_DIR ${folder} cannot be used: E\\w+: [^\\n]*\\n$`))
    const service = startMain({ DATA_DIR: folder, LOG_LEVEL: 'error', ...settings }, { ...user, cwd: '/' })
    expect(await service.ended).toBe(1)
    expect(service.output()).toEqual({ stdout: '', stderr: line })
    const env = childEnvironment({ DATA_DIR: folder, ...settings })
    const command = [path.join(projectFolder, 'dist', 'cli.js'), 'backup', '-']
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { ...user, env, encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: line })
  })
})

test('a start with a file that does not exist fails at once and is not repeated', async () => {
  const settings = { TRUSTED_DOCUMENTS: '/nonexistent', DATABASE_URL: url, DATA_DIR: path.join(inject('runFolder'), 'missing-file') }
  const service = startMain(settings)
  expect(await service.ended).toBe(1)
  const [line, ...others] = service.output().stderr.trimEnd().split('\n').toReversed()
  expect(line).toBe('TRUSTED_DOCUMENTS /nonexistent: it cannot be read')
  expect(others.filter((each) => each.includes('SMTP_URL is not set'))).toHaveLength(1)
})
