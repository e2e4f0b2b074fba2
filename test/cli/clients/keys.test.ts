import { describe, expect, test } from 'vitest'
import { runCli, useCli } from '../../support/service/cli.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const { pool, env: databaseEnv } = useCli()
const env = { ...databaseEnv, SECRET_KEY: secretKey }
const run = (...args: string[]) => runCli(env, args)
const refused = (status: 1 | 2, message: string | RegExp) => ({
  status,
  stdout: '',
  stderr: typeof message === 'string' ? `${message}\n` : expect.stringMatching(message),
})
async function answer(...args: string[]) {
  const { status, stdout, stderr } = await run(...args, '--json')
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const kid = expect.stringMatching(/^[\w-]{43}$/)
const key = { kid, algorithm: 'ES256', state: 'signing', created_at: instant, signs_from: instant, retired_at: null }

describe('the keys commands', () => {
  test('rotate all keys or those of one algorithm, list them, and record the operator in the audit log', async () => {
    expect(await answer('keys', 'list')).toEqual({ data: [] })
    expect(await run('keys', 'list')).toEqual({ status: 0, stdout: 'None.\n', stderr: '' })
    const { data: first } = await answer('keys', 'rotate')
    expect(first).toEqual([key, { ...key, algorithm: 'RS256' }])
    const { data: next } = await answer('keys', 'rotate', '--algorithm', 'ES256', '--publish-first', '2h')
    expect(next).toEqual([{ ...key, state: 'next' }])
    expect(Date.parse(next[0].signs_from) - Date.parse(next[0].created_at)).toBe(7_200_000)
    const old = { ...first[0], retired_at: new Date(Date.parse(next[0].signs_from) + 3_900_000).toISOString() }
    expect(await answer('keys', 'list')).toEqual({ data: [next[0], old, first[1]] })
    const { stdout } = await run('keys', 'list')
    const lines = stdout.trim().split('\n')
    expect(lines.map((line) => line.split(/ {2,}/))).toEqual([
      ['KID', 'ALGORITHM', 'STATE', 'SIGNS FROM', 'PUBLISHED UNTIL'],
      [next[0].kid, 'ES256', 'next', instant, '–'],
      [old.kid, 'ES256', 'signing', instant, instant],
      [first[1].kid, 'RS256', 'signing', instant, '–'],
    ])
    const { rows } = await pool.query(
      `SELECT actor_kind, authentication_method AS "authenticationMethod", subject, before, after FROM audit_entries WHERE action = 'rotateSigningKeys' ORDER BY at`,
    )
    expect(rows[1]).toEqual({
      actor_kind: 'operator',
      authenticationMethod: 'command_line',
      subject: next[0].kid,
      before: { ES256: { kid: old.kid } },
      after: { ES256: { kid: next[0].kid, signsFrom: next[0].signs_from } },
    })
  })

  test('refuse a second next key while one waits, unless the second one signs immediately', async () => {
    expect(await run('keys', 'rotate', '--algorithm', 'ES256')).toEqual(
      refused(1, /^the next ES256 key is published already and signs from \S+Z; only one that signs at once can replace it\n$/),
    )
    expect(await answer('keys', 'rotate', '--algorithm', 'ES256', '--publish-first', '0')).toEqual({ data: [key] })
    expect((await answer('keys', 'list')).data.map(({ state }: { state: string }) => state)).toEqual([
      'signing',
      'retired',
      'old',
      'signing',
    ])
  })

  test('do not rotate keys when SECRET_KEY differs from that of the service', async () => {
    const count = async () => (await pool.query('SELECT FROM signing_keys')).rowCount
    const before = await count()
    expect(await runCli({ ...env, SECRET_KEY: 'other '.repeat(8) }, ['keys', 'rotate', '--publish-first', '0'])).toEqual(
      refused(1, /^SECRET_KEY differs from the one that encrypted the signing keys of this database: key [\w-]{43} cannot be decrypted\n$/),
    )
    expect(await count()).toBe(before)
  })

  test.each([
    [
      ['--algorithm', 'ES265'],
      2,
      '--algorithm must be one of ES256, RS256; it is ES265; did you mean ES256? (see: npm run -s cli -- keys rotate --help)',
    ],
    [
      ['--publish-first', 'soon'],
      2,
      '--publish-first must be a time such as 90d, in s, m, h, d, w or y; it is soon (see: npm run -s cli -- keys rotate --help)',
    ],
    [['--publish-first', '31d'], 2, '--publish-first must be at most 30d; it is 31d'],
  ] as const)('refuse keys rotate %j with exit status %d', async (options, status, message) => {
    expect(await run('keys', 'rotate', ...options)).toEqual(refused(status, message))
  })
})
