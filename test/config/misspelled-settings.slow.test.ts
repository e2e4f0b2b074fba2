import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { misspelledSettings } from '../../src/config/misspelled-settings.ts'
import { settings } from '../../src/config/settings.ts'
import { startMain } from '../support/processes/service-process.ts'
import { runCli } from '../support/service/cli.ts'
import { useDatabase } from '../support/service/database.ts'

const { url } = useDatabase()

test.each([
  ['DATABASE_UR', 'DATABASE_URL'],
  ['DATABASE_URLS', 'DATABASE_URL'],
  ['DATABSAE_URL', 'DATABASE_URL'],
  ['BRAND_COLOUR', 'BRAND_COLOR'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['secret_key', 'SECRET_KEY'],
  ['PROT', 'PORT'],
  ['SECRET_KEY_FILES', 'SECRET_KEY_FILE'],
])('%s is reported as a misspelled %s', (name, meant) => {
  expect(misspelledSettings({ [name]: 'value' })).toEqual([`${name} is not a setting, and is ignored: did you mean ${meant}?`])
})

test('settings and other variables are not reported', () => {
  const variables = settings.flatMap(({ variable, fileVariable = [] }) => [variable, fileVariable].flat())
  const names = [...variables, 'PATH', 'HOME', 'HOSTNAME', 'DATABASE_PORT', 'OTEL_SERVICE_NAME', 'MAIL', 'P']
  expect(misspelledSettings(Object.fromEntries(names.map((name) => [name, 'value'])))).toEqual([])
})

test.each(['1', '2'])('a service of %s processes warns once of a misspelled setting, without its value', async (processes) => {
  const service = startMain({
    DATA_DIR: path.join(inject('runFolder'), `misspelled-${processes}`),
    DATABASE_URL: url,
    DATABASE_UR: 'a value',
    SECRET_KEY: 'k1'.repeat(16),
    WEB_CONCURRENCY: processes,
    LOG_LEVEL: 'warn',
  })
  await service.origin
  service.signal('SIGTERM')
  await service.ended
  const { stderr } = service.output()
  expect(stderr.match(/DATABASE_UR is not a setting, and is ignored: did you mean DATABASE_URL\?/g)).toHaveLength(1)
  expect(stderr).not.toContain('a value')
})

test('doctor reports a misspelled setting', async () => {
  const { stdout, stderr } = await runCli({ DATABASE_URL: url, DATABASE_UR: 'a value' }, ['doctor'])
  expect(stdout + stderr).toContain('DATABASE_UR is not a setting, and is ignored: did you mean DATABASE_URL?')
})
