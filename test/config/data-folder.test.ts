import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
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
