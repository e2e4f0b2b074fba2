import { mkdtempSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { readConfig, settings } from '../../src/config/settings.ts'
import { startMain } from '../support/processes/service-process.ts'
import { runCli, useCli } from '../support/service/cli.ts'

const cli = useCli()

/** Writes a file and returns its path. */
function write(content: string): string {
  const file = path.join(mkdtempSync(path.join(inject('runFolder'), 'secrets-')), 'secret')
  writeFileSync(file, content)
  return file
}

const key = 'k1'.repeat(16)

test.each([
  ['', key],
  ['\n', key],
  ['\r\n', key],
  [' \n', `${key} `],
  ['\n\n', `${key}\n`],
])('a file whose value is followed by %j has the value without the last line break', (ending, value) => {
  expect(readConfig({ SECRET_KEY_FILE: write(key + ending) }).secretKey).toBe(value)
})

test('every secret can be in a file, and nothing else', () => {
  const secrets = settings.flatMap(({ fileVariable = [] }) => fileVariable).flat()
  expect(secrets).toEqual([
    'DATABASE_URL_FILE',
    'DATABASE_DIRECT_URL_FILE',
    'DATABASE_REPLICA_URL_FILE',
    'SECRET_KEY_FILE',
    'SECRET_KEY_PREVIOUS_FILE',
    'SMTP_URL_FILE',
    'GOOGLE_CLIENT_SECRET_FILE',
    'GITHUB_CLIENT_SECRET_FILE',
    'MICROSOFT_CLIENT_SECRET_FILE',
  ])
  const values: Record<string, string> = { DATABASE: 'postgresql://u@host/db', SMTP: 'smtp://host:25' }
  const valueOf = (name: string) => values[name.split('_')[0] ?? ''] ?? key
  const ids = ['GOOGLE', 'GITHUB', 'MICROSOFT'].map((name) => [`${name}_CLIENT_ID`, 'id'])
  const env = Object.fromEntries([...secrets.map((name) => [name, write(valueOf(name))]), ...ids])
  const config = readConfig(env)
  for (const { key: name, fileVariable } of settings)
    if (fileVariable !== undefined) expect(config).toHaveProperty(name, valueOf(fileVariable))
  expect(readConfig({ PORT_FILE: write('4000') }).port).toBe(3000)
})

describe('a start', () => {
  const errorOf = async (env: Record<string, string>) => {
    const service = startMain({ DATA_DIR: path.join(inject('runFolder'), 'secret-files'), ...env })
    expect(await service.ended).toBe(1)
    return service.output().stderr
  }

  test('fails with one line if a secret and its file are both set', async () => {
    const error = 'SECRET_KEY and SECRET_KEY_FILE are both set: remove one of them\n'
    expect(await errorOf({ SECRET_KEY: key, SECRET_KEY_FILE: write(key) })).toBe(error)
  })

  test('fails with one line that names the setting and the path if the file cannot be read or is empty', async () => {
    const reason = "ENOENT: no such file or directory, open '/nonexistent/key'"
    expect(await errorOf({ SECRET_KEY_FILE: '/nonexistent/key' })).toBe(`SECRET_KEY_FILE /nonexistent/key cannot be read: ${reason}\n`)
    const file = write('\n')
    expect(await errorOf({ DATABASE_URL_FILE: file })).toBe(`DATABASE_URL_FILE ${file} is empty\n`)
  })

  test('fails with one line that does not repeat the content if it is invalid', async () => {
    const file = write('too short')
    const error = `the content of SECRET_KEY_FILE ${file} must be at least 32 characters long\n`
    expect(await errorOf({ SECRET_KEY_FILE: file })).toBe(error)
  })
})

test('a command uses the database of DATABASE_URL_FILE', async () => {
  await cli.answer('team', 'create', '--slug', 'acme', '--name', 'Acme')
  const { DATABASE_URL: url, ...env }: Record<string, string> = cli.env
  const { stdout } = await runCli({ ...env, DATABASE_URL_FILE: write(`${url}\n`) }, ['team', 'list'])
  expect(stdout).toContain('acme')
})
