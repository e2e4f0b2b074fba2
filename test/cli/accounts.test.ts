import { describe, expect, test } from 'vitest'
import { verify } from '@node-rs/argon2'
import { sha256, tokenKind } from '../../schema/secret.ts'
import { cliOnDatabase, runCli } from '../support/cli.ts'

const { pool, env, run, answer } = await cliOnDatabase()
await pool.query(`INSERT INTO teams (slug, name) VALUES ('rules', 'Rules')`)
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
const one = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows[0]
const refused = (status: 1 | 2, message: string) => ({ status, stdout: '', stderr: `${message}\n` })

describe('team', () => {
  test('is created with an owner, listed, and audited under the operator’s name', async () => {
    await answer('user', 'create', '--email', 'owner@example.com', '--name', 'Owner')
    const team = { slug: 'acme', name: 'Acme \u001b[31m', timezone: 'Europe/Kyiv', gravatar_email: null }
    const whole = { ...team, avatar_url: expect.stringContaining('https://'), created_at: instant, updated_at: instant }
    const flags = ['--slug', 'acme', '--name', team.name, '--timezone', 'Europe/Kyiv', '--owner', 'Owner@example.com']
    expect(await answer('team', 'create', ...flags)).toEqual(whole)
    expect((await answer('team', 'list')).data).toContainEqual(whole)
    const { status, stdout } = await run('team', 'list')
    // A name cannot steer the terminal.
    const [headings, row] = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect({ status, headings, row }).toEqual({
      status: 0,
      headings: ['SLUG', 'NAME', 'TIMEZONE', 'CREATED'],
      row: ['acme', 'Acme \u{fffd}[31m', 'Europe/Kyiv', instant],
    })
    expect(await one(`SELECT action, actor_kind, via, subject FROM audit_entries WHERE action = 'createTeam'`)).toEqual({
      action: 'createTeam',
      actor_kind: 'operator',
      via: 'command_line',
      subject: 'acme',
    })
    expect(await run('team', 'create', '--slug', 'acme', '--name', 'Again')).toEqual(refused(1, 'The slug has already been taken.'))
    const { status: wrong, stderr } = await run('team', 'create', '--slug', 'A b', '--name', '', '--json')
    expect({ wrong, ...JSON.parse(stderr) }).toEqual({
      wrong: 1,
      error: {
        code: 'validation_failed',
        message: expect.stringContaining('lower-case letters'),
        errors: { slug: [expect.any(String)], name: ['The name field is required.'] },
      },
    })
  })
})

describe('user', () => {
  test('is created with a password from standard input, listed, disabled, enabled and deleted', async () => {
    const create = ['user', 'create', '--email', 'Ada@Example.com', '--name', 'Ada', '--verified', '--password-stdin', '--json']
    const created = await runCli(env, create, 'correct horse\n')
    const ada = { id, name: 'Ada', email: 'ada@example.com', email_verified: true, disabled_at: null, created_at: instant }
    expect({ ...created, stdout: JSON.parse(created.stdout) }).toEqual({ status: 0, stdout: ada, stderr: '' })
    const { password_hash: hash } = await one(`SELECT password_hash FROM users WHERE email = 'ada@example.com'`)
    expect(await verify(hash, 'correct horse')).toBe(true)
    expect((await answer('user', 'list')).data).toContainEqual(ada)
    expect(await answer('user', 'disable', 'ada@example.com')).toEqual({ ...ada, disabled_at: instant })
    expect(await run('user', 'enable', 'ada@example.com')).toEqual({ status: 0, stdout: 'Enabled user ada@example.com.\n', stderr: '' })
    const reset = ['user', 'reset-second-factor', 'ada@example.com']
    expect(await run(...reset)).toEqual(refused(1, 'The second factor is off.'))
    await pool.query(`UPDATE users SET totp_secret = 'sealed' WHERE email = 'ada@example.com'`)
    expect(await run(...reset)).toEqual({ status: 0, stdout: 'Turned the second factor off for user ada@example.com.\n', stderr: '' })
    expect((await answer('mail', 'list')).data).toMatchObject([{ kind: 'second-factor-off', recipient: ada.email, state: 'pending' }])
    expect(await answer('user', 'delete', 'ada@example.com')).toEqual(ada)
    expect((await answer('user', 'list')).data).not.toContainEqual(ada)
  })

  test('is refused an empty or short password, a taken address, and to leave a team without an owner', async () => {
    const create = ['user', 'create', '--email', 'bob@example.com', '--name', 'Bob', '--password-stdin']
    expect(await runCli(env, create, '\n')).toEqual(
      refused(2, 'standard input holds no password (see: npm run -s cli -- user create --help)'),
    )
    expect(await runCli(env, create, 'short\n')).toEqual(refused(1, 'The password field must be at least 8 characters.'))
    await answer('user', 'create', '--email', 'sole@example.com', '--name', 'Sole')
    expect(await run('user', 'create', '--email', 'SOLE@example.com', '--name', 'Sole')).toEqual(
      refused(1, 'The email has already been taken.'),
    )
    await answer('team', 'create', '--slug', 'sole', '--name', 'Sole', '--owner', 'sole@example.com')
    const { status, stderr } = await run('user', 'delete', 'sole@example.com', '--json')
    const message = 'The team Sole (sole) must keep at least one owner.'
    expect({ status, ...JSON.parse(stderr) }).toEqual({ status: 1, error: { code: 'last_owner', message, errors: { role: [message] } } })
    expect(await run('user', 'disable', 'nobody@example.com')).toEqual(refused(1, 'The selected email is invalid.'))
  })
})

describe('token', () => {
  const token = { id, name: 'ci', created_at: instant, last_used_at: null, revoked_at: null }

  test('of a team is created, its value shown once, listed and revoked', async () => {
    await answer('team', 'create', '--slug', 'tokens', '--name', 'Tokens')
    const scopes = ['--scope', 'teams', '--scope', 'acct:team:members:read']
    const created = await answer('token', 'create', '--team', 'tokens', '--name', 'ci', ...scopes)
    const { token: value } = created
    const listed = { ...token, hint: `tat_…${value.slice(-4)}`, scopes: ['teams', 'acct:team:members:read'], expires_at: null }
    expect(created).toEqual({ ...listed, token: expect.any(String) })
    expect(tokenKind(value)).toBe('team')
    expect(await one('SELECT id FROM access_tokens WHERE hash = $1', sha256(value))).toEqual({ id: created.id })
    expect(await answer('token', 'list', '--team', 'tokens')).toEqual({ data: [{ ...listed, created_by: null }] })
    expect(await answer('token', 'revoke', created.id)).toEqual({ ...listed, revoked_at: instant })
  })

  test('of a person lives 90 days unless told, at most a year, and its value is all the plain answer says', async () => {
    await answer('user', 'create', '--email', 'tok@example.com', '--name', 'Tok')
    const create = ['token', 'create', '--user', 'tok@example.com', '--name', 'ci', '--scope', 'teams']
    const { status, stdout, stderr } = await run(...create)
    expect({ status, kind: tokenKind(stdout.trim()), stderr }).toEqual({ status: 0, kind: 'personal', stderr: '' })
    const { data } = await answer('token', 'list', '--user', 'tok@example.com')
    expect(data).toEqual([{ ...token, hint: `pat_…${stdout.trim().slice(-4)}`, scopes: ['teams'], expires_at: instant }])
    const days = (Date.parse(data[0].expires_at) - Date.now()) / 86_400_000
    expect(Math.abs(days - 90)).toBeLessThan(0.01)
    expect(await run(...create, '--expires-in', '2y')).toEqual(refused(1, 'The expires at field must be a date within a year.'))
    expect(await run(...create, '--expires-in', 'soon')).toEqual(
      refused(2, '--expires-in must be a time such as 90d, in s, m, h, d, w or y; it is soon (see: npm run -s cli -- token create --help)'),
    )
  })

  test.each([
    [['token', 'list', '--team', 'nowhere'], 1, 'There is no such team.'],
    [['token', 'list', '--user', 'nobody@example.com'], 1, 'The selected email is invalid.'],
    [['token', 'revoke', '6f9619ff-8b86-4011-b42d-00c04fc964ff'], 1, 'There is none with this identifier.'],
    [['token', 'create', '--team', 'rules', '--name', 'x', '--scope', 'everything'], 1, 'The selected scopes.0 is invalid.'],
    [
      ['token', 'create', '--team', 'acme', '--user', 'a@example.com', '--name', 'x', '--scope', 'teams'],
      2,
      'one of --team SLUG and --user EMAIL is required (see: npm run -s cli -- token create --help)',
    ],
  ] as const)('%j is refused with %d', async (line, status, message) => {
    expect(await run(...line)).toEqual(refused(status, message))
  })
})

describe('given a wrong setting or no database', () => {
  test('every command fails with 1 and one line', async () => {
    expect(await runCli({ PORT: 'x' }, ['team', 'list'])).toEqual(refused(1, 'PORT must be a whole number from 0 to 65535; it is "x"'))
    const { status, stderr } = await runCli({ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' }, ['export', '--json'])
    expect({ status, ...JSON.parse(stderr) }).toEqual({
      status: 1,
      error: {
        code: 'database_unavailable',
        message: expect.stringMatching(/^the database cannot be reached: .*connect ECONNREFUSED 127.0.0.1:1$/),
      },
    })
  })
})
