import { beforeAll, describe, expect, test } from 'vitest'
import { verify } from '@node-rs/argon2'
import { sha256 } from '../../schema/core/sha256.ts'
import { tokenKind } from '../../schema/tokens/token-value.ts'
import { runCli, useCli } from '../support/service/cli.ts'

const { pool, env, run, answer } = useCli()
beforeAll(async () => {
  await pool.query(`INSERT INTO teams (slug, name) VALUES ('rules', 'Rules')`)
})
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
const queryRow = async (text: string, ...values: unknown[]) => (await pool.query(text, values)).rows[0]
const refused = (status: 1 | 2, message: string) => ({ status, stdout: '', stderr: `${message}\n` })

describe('the team commands', () => {
  test('create and list a team with an owner, and record the operator in the audit log', async () => {
    await answer('user', 'create', '--email', 'owner@example.com', '--name', 'Owner')
    const team = { slug: 'acme', name: 'Acme \u202e[31m', timezone: 'Europe/Kyiv', gravatar_email: null }
    const created = { ...team, avatar_url: expect.stringContaining('https://'), created_at: instant, updated_at: instant }
    const flags = ['--slug', 'acme', '--name', team.name, '--timezone', 'Europe/Kyiv', '--owner', 'Owner@example.com']
    expect(await answer('team', 'create', ...flags)).toEqual(created)
    expect((await answer('team', 'list')).data).toContainEqual(created)
    const { status, stdout } = await run('team', 'list')
    // Characters in a name that change the direction of text are replaced, so that they do not reach the terminal.
    const [headings, row] = stdout.split('\n').map((line) => line.split(/ {2,}/))
    expect({ status, headings, row }).toEqual({
      status: 0,
      headings: ['SLUG', 'NAME', 'CREATED', 'TIMEZONE'],
      row: ['acme', 'Acme \u{fffd}[31m', instant, 'Europe/Kyiv'],
    })
    expect(
      await queryRow(
        `SELECT action, actor_kind, authentication_method AS "authenticationMethod", subject FROM audit_entries WHERE action = 'createTeam'`,
      ),
    ).toEqual({
      action: 'createTeam',
      actor_kind: 'operator',
      authenticationMethod: 'command_line',
      subject: 'acme',
    })
    expect(await run('team', 'create', '--slug', 'acme', '--name', 'Again')).toEqual(refused(1, 'the slug acme is in use already'))
    const { status: refusedStatus, stderr } = await run('team', 'create', '--slug', 'A b', '--name', '', '--json')
    expect({ refusedStatus, ...JSON.parse(stderr) }).toEqual({
      refusedStatus: 2,
      error: {
        code: 'validation_failed',
        message: expect.stringContaining('lower-case letters'),
        errors: { slug: [expect.any(String)], name: ['The name field is required.'] },
      },
    })
  })
})

describe('the user commands', () => {
  test('create a user with a password from standard input, and list, disable, enable and delete the user', async () => {
    const create = ['user', 'create', '--email', 'Ada@Example.com', '--name', 'Ada', '--verified', '--password-stdin', '--json']
    const created = await runCli(env, create, 'correct horse\n')
    const ada = {
      id,
      name: 'Ada',
      email: 'ada@example.com',
      email_verified: true,
      staff: false,
      staff_role: null,
      disabled_at: null,
      deletion_requested_at: null,
      created_at: instant,
    }
    expect({ ...created, stdout: JSON.parse(created.stdout) }).toEqual({ status: 0, stdout: ada, stderr: '' })
    const { password_hash: hash } = await queryRow(`SELECT password_hash FROM users WHERE email = 'ada@example.com'`)
    expect(await verify(hash, 'correct horse')).toBe(true)
    expect((await answer('user', 'list')).data).toContainEqual(ada)
    expect(await answer('user', 'disable', 'ada@example.com')).toEqual({ ...ada, disabled_at: instant })
    expect(await answer('user', 'export', 'ada@example.com')).toMatchObject({ profile: { email: 'ada@example.com' }, tokens: [] })
    expect(await run('user', 'enable', 'ada@example.com')).toEqual({ status: 0, stdout: 'Enabled user ada@example.com.\n', stderr: '' })
    expect(await answer('user', 'staff', 'Ada@example.com', '--on')).toEqual({ ...ada, staff: true, staff_role: 'READER' })
    expect((await run('user', 'list')).stdout).toMatch(/^ada@example\.com +Ada +– +yes +reader/m)
    expect(await run('user', 'staff', 'ada@example.com', '--off')).toEqual({
      status: 0,
      stdout: 'User ada@example.com is not staff.\n',
      stderr: '',
    })
    expect(await queryRow(`SELECT before, after FROM audit_entries WHERE action = 'setStaff' ORDER BY at DESC LIMIT 1`)).toEqual({
      before: { staff: true, staffRole: 'reader' },
      after: { staff: false, staffRole: null },
    })
    expect(await answer('user', 'staff', 'ada@example.com', '--role', 'admin')).toEqual({ ...ada, staff: true, staff_role: 'ADMIN' })
    expect(await run('user', 'staff', 'ada@example.com', '--role', 'support')).toEqual({
      status: 0,
      stdout: 'User ada@example.com is staff with the role support.\n',
      stderr: '',
    })
    expect((await run('user', 'list')).stdout).toMatch(/^ada@example\.com +Ada +– +yes +support/m)
    expect(await queryRow(`SELECT before, after FROM audit_entries WHERE action = 'setStaff' ORDER BY at DESC LIMIT 1`)).toEqual({
      before: { staffRole: 'admin' },
      after: { staffRole: 'support' },
    })
    expect(await answer('user', 'staff', 'ada@example.com', '--role', 'none')).toEqual(ada)
    const reset = ['user', 'reset-second-factor', 'ada@example.com']
    expect(await run(...reset)).toEqual(refused(1, 'two-factor authentication is off'))
    await pool.query(`UPDATE users SET totp_secret = 'encrypted' WHERE email = 'ada@example.com'`)
    expect(await run(...reset)).toEqual({
      status: 0,
      stdout: 'Turned off two-factor authentication for user ada@example.com.\n',
      stderr: '',
    })
    expect((await answer('mail', 'list')).data).toMatchObject([{ kind: 'second-factor-off', recipient: ada.email, state: 'pending' }])
    expect(await answer('user', 'delete', 'ada@example.com', '--yes')).toEqual(ada)
    expect((await answer('user', 'list')).data).not.toContainEqual(ada)
  })

  test('refuse an empty or short password, an email address that is in use, and the deletion of the last owner of a team', async () => {
    const create = ['user', 'create', '--email', 'bob@example.com', '--name', 'Bob', '--password-stdin']
    expect(await runCli(env, create, '\n')).toEqual(
      refused(2, 'standard input contains no password (see: npm run -s cli -- user create --help)'),
    )
    expect(await runCli(env, create, 'short\n')).toEqual(refused(2, 'the password must be at least 8 characters'))
    await answer('user', 'create', '--email', 'sole@example.com', '--name', 'Sole')
    expect(await run('user', 'create', '--email', 'SOLE@example.com', '--name', 'Sole')).toEqual(
      refused(1, 'the account SOLE@example.com is in use already'),
    )
    await answer('team', 'create', '--slug', 'sole', '--name', 'Sole', '--owner', 'sole@example.com')
    const { status, stderr } = await run('user', 'delete', 'sole@example.com', '--yes', '--json')
    const message = 'The team Sole (sole) must keep at least one owner.'
    const clause = 'the team Sole (sole) must keep at least one owner'
    expect({ status, ...JSON.parse(stderr) }).toEqual({
      status: 1,
      error: { code: 'last_owner', message: clause, errors: { role: [message] } },
    })
    expect(await run('user', 'disable', 'nobody@example.com')).toEqual(refused(1, 'unknown account nobody@example.com'))
  })
})

describe('the token commands', () => {
  const token = { id, name: 'ci', created_at: instant, last_used_at: null, revoked_at: null }

  test('create a team token and show its value once, and list and revoke the token', async () => {
    await answer('team', 'create', '--slug', 'tokens', '--name', 'Tokens')
    const scopes = ['--scope', 'teams', '--scope', 'acct:team:members:read']
    const created = await answer('token', 'create', '--team', 'tokens', '--name', 'ci', ...scopes)
    const { token: value } = created
    const listed = { ...token, hint: `tat_…${value.slice(-4)}`, scopes: ['teams', 'acct:team:members:read'], expires_at: null }
    expect(created).toEqual({ ...listed, token: expect.any(String) })
    expect(tokenKind(value)).toBe('team')
    expect(await queryRow('SELECT id FROM access_tokens WHERE hash = $1', sha256(value))).toEqual({ id: created.id })
    expect(await answer('token', 'list', '--team', 'tokens')).toEqual({ data: [{ ...listed, created_by: null }] })
    await pool.query(
      `UPDATE access_tokens SET previous_hash = sha256('old'), previous_last_four = 'prev', previous_expires_at = now() + '1 hour' WHERE id = $1`,
      [created.id],
    )
    const rotated = { ...listed, created_by: null, previous_value: { hint: 'tat_…prev', expires_at: instant } }
    expect(await answer('token', 'list', '--team', 'tokens')).toEqual({ data: [rotated] })
    expect(await answer('token', 'revoke', created.id)).toEqual({ ...listed, revoked_at: instant })
    expect(await answer('token', 'list', '--team', 'tokens')).toEqual({ data: [{ ...listed, created_by: null, revoked_at: instant }] })
  })

  test('create a personal token that expires after 90 days by default and one year at most, and print only its value', async () => {
    await answer('user', 'create', '--email', 'tok@example.com', '--name', 'Tok')
    const create = ['token', 'create', '--user', 'tok@example.com', '--name', 'ci', '--scope', 'teams']
    const { status, stdout, stderr } = await run(...create)
    expect({ status, kind: tokenKind(stdout.trim()), stderr }).toEqual({ status: 0, kind: 'personal', stderr: '' })
    const { data } = await answer('token', 'list', '--user', 'tok@example.com')
    expect(data).toEqual([{ ...token, hint: `pat_…${stdout.trim().slice(-4)}`, scopes: ['teams'], expires_at: instant }])
    const days = (Date.parse(data[0].expires_at) - Date.now()) / 86_400_000
    expect(Math.abs(days - 90)).toBeLessThan(0.01)
    expect(await run(...create, '--expires-in', '2y')).toEqual(refused(2, '--expires-in must be at most 1y; it is 2y'))
    expect(await run(...create, '--expires-in', 'soon')).toEqual(
      refused(2, '--expires-in must be a time such as 90d, in s, m, h, d, w or y; it is soon (see: npm run -s cli -- token create --help)'),
    )
  })

  test.each([
    [['token', 'list', '--team', 'nowhere'], 1, 'unknown team nowhere'],
    [['token', 'list', '--user', 'nobody@example.com'], 1, 'unknown account nobody@example.com'],
    [['token', 'revoke', '6f9619ff-8b86-4011-b42d-00c04fc964ff'], 1, 'unknown token 6f9619ff-8b86-4011-b42d-00c04fc964ff'],
    [['token', 'create', '--team', 'rules', '--name', 'x', '--scope', 'everything'], 2, 'unknown scope everything'],
    [
      ['token', 'create', '--team', 'acme', '--user', 'a@example.com', '--name', 'x', '--scope', 'teams'],
      2,
      'one of --team SLUG and --user EMAIL is required (see: npm run -s cli -- token create --help)',
    ],
  ] as const)('%j is refused with exit status %d', async (line, status, message) => {
    expect(await run(...line)).toEqual(refused(status, message))
  })
})

describe('with an invalid setting or an unreachable database', () => {
  test('a command exits with status 1 and prints one line', async () => {
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
