import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { checks } from '../../../src/cli/checks/index.ts'
import { reservePort } from '../../support/processes/port.ts'
import { startMailServer } from '../../support/mail/smtp.ts'
import { runCli, useCli } from '../../support/service/cli.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const cli = useCli()
const production = { NODE_ENV: 'production', SECRET_KEY: secretKey }

type Problem = Record<'problem' | 'action', string>

/** Runs `doctor` and returns the problems of one check. */
async function problemsOf(name: string, settings: Record<string, string> = {}): Promise<Problem[]> {
  const { status, stdout, stderr } = await runCli({ ...cli.env, ...settings }, ['doctor', '--json'])
  if (stdout === '') throw new Error(stderr)
  const { data }: { data: { check: string; state: string; problems: Problem[] }[] } = JSON.parse(stdout)
  const problems = data.find(({ check }) => check === name)?.problems ?? []
  expect(data.find(({ check }) => check === name)?.state).toBe(problems.length === 0 ? 'ok' : 'wrong')
  expect(status).toBe(data.some(({ state }) => state === 'wrong') ? 1 : 0)
  for (const { action } of problems) expect(action.length).toBeGreaterThan(10)
  return problems
}

const found = (problem: string) => [expect.objectContaining({ problem: expect.stringContaining(problem) })]

/** Runs SQL on the database, and other SQL when the test ends. */
async function change(sql: string, undo: string): Promise<void> {
  onTestFinished(async () => void (await cli.pool.query(undo)))
  await cli.pool.query(sql)
}

describe('doctor finds', () => {
  test.each([
    ['an AUTH_URL without TLS', { ...production, AUTH_URL: 'http://accounts.example' }, 'AUTH_URL is not https'],
    ['https without trusted proxies', { AUTH_URL: 'https://accounts.example' }, 'TRUST_PROXY is false'],
    ['no mail server in production', production, 'SMTP_URL is not set'],
    ['a sender at localhost', { SMTP_URL: 'smtp://127.0.0.1:1' }, 'MAIL_FROM is an address at localhost'],
    ['two equal keys', { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: secretKey }, 'SECRET_KEY_PREVIOUS is the same'],
  ])('%s', async (_, settings, problem) => {
    expect(await problemsOf('settings', settings)).toContainEqual(found(problem)[0])
  })

  test.each([
    ['back-channel logout', 'backchannel_logout_uri'],
    ['keys', 'jwks_uri'],
  ])('a URL for %s that leads into a private network', async (_, column) => {
    const client = randomUUID()
    await change(
      `INSERT INTO oauth_clients (client_id, name, confidential, redirect_uris, grant_types, required_scopes, optional_scopes, ${column})
       VALUES ('${client}', 'Ledger', true, '{}', '{}', '{}', '{}', 'https://10.0.0.7/logout')`,
      `DELETE FROM oauth_clients WHERE client_id = '${client}'`,
    )
    expect(await problemsOf('outgoing')).toEqual(found('1 URL of the operator cannot be called'))
    expect(await problemsOf('outgoing', { OUTGOING_ALLOWED_HOSTS: '10.0.0.7, ledger.internal' })).toEqual([])
  })

  test('a clock that differs', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 300_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await problemsOf('clock')).toEqual(found('differ by 300 s'))
  })

  test('a database that can lose commits, and too few connections', async () => {
    const { rows } = await cli.pool.query<{ name: string }>('SELECT current_database() AS name')
    const database = rows[0]?.name
    await change(`ALTER DATABASE ${database} SET synchronous_commit = off`, `ALTER DATABASE ${database} RESET synchronous_commit`)
    const problems = await problemsOf('postgresql', { DATABASE_POOL: '500', WEB_CONCURRENCY: '2' })
    expect(problems).toEqual(expect.arrayContaining([...found('synchronous_commit is off'), ...found('open up to 1010 connections')]))
  })

  test('a migration of a newer version', async () => {
    const name = '20990101000000_future'
    const insert = `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('future', '', '${name}', now())`
    await change(insert, `DELETE FROM _prisma_migrations WHERE migration_name = '${name}'`)
    expect(await problemsOf('migrations')).toEqual(
      found(`migration ${name} belongs to a newer version, and this one cannot serve the database`),
    )
  })

  test('an index that is missing and one that is invalid', async () => {
    await change('DROP INDEX members_user_id_team_id_idx', 'CREATE INDEX members_user_id_team_id_idx ON members (user_id, team_id)')
    const action = expect.stringContaining('CREATE INDEX "members_user_id_team_id_idx"')
    expect(await problemsOf('schema')).toEqual([{ problem: 'the schema of the database differs from the migrations', action }])
    const set = (isValid: boolean) => `UPDATE pg_index SET indisvalid = ${isValid} WHERE indexrelid = 'sessions_user_id_idx'::regclass`
    await change(set(false), set(true))
    expect(await problemsOf('schema')).toContainEqual(found('index sessions_user_id_idx is invalid')[0])
  })

  test('signing keys of another SECRET_KEY, and old ones', async () => {
    expect((await runCli({ ...cli.env, SECRET_KEY: secretKey }, ['keys', 'rotate'])).status).toBe(0)
    onTestFinished(async () => void (await cli.pool.query('DELETE FROM signing_keys')))
    expect(await problemsOf('keys', { SECRET_KEY: secretKey })).toEqual([])
    const other = 'another secret key of 32 characters'
    expect(await problemsOf('keys', { SECRET_KEY: other })).toHaveLength(2)
    expect(await problemsOf('keys', { SECRET_KEY: other, SECRET_KEY_PREVIOUS: secretKey })).toEqual([])
    expect(await problemsOf('keys', { DATA_DIR: '/nonexistent' })).toEqual(found('there is no SECRET_KEY'))
    await cli.pool.query(`UPDATE signing_keys SET signs_from = now() - interval '400 days' WHERE algorithm = 'RS256'`)
    expect(await problemsOf('keys', { SECRET_KEY: secretKey })).toEqual(found('is 400 days old'))
  })

  test('mails that failed or wait', async () => {
    expect((await runCli(cli.env, ['mail', 'list'])).status).toBe(0)
    onTestFinished(async () => void (await cli.pool.query('DELETE FROM pgboss.job')))
    // Each failed attempt moves the next one into the future.
    const insert = (state: string, wait: string) =>
      cli.pool.query(
        `INSERT INTO pgboss.job (name, data, state, created_on, start_after)
         VALUES ('mail', '{}', $1::pgboss.job_state, now() - $2::interval, now() + interval '1 hour')`,
        [state, wait],
      )
    await insert('created', '1 minute')
    expect(await problemsOf('queue')).toEqual([])
    await insert('retry', '1 hour')
    await insert('failed', '1 hour')
    expect(await problemsOf('queue')).toEqual([...found('1 email has failed'), ...found('1 email has waited')])
  })

  test('a mail server that cannot be reached or refuses the password', async () => {
    const { url, mails } = await startMailServer()
    expect(await problemsOf('mail', { SMTP_URL: url })).toEqual([])
    const strict = new SMTPServer({ disabledCommands: ['STARTTLS'], onAuth: (_, __, refuse) => refuse(new Error('Invalid login')) })
    const { port: strictPort, listen, release } = reservePort()
    onTestFinished(() => {
      release()
      strict.close()
    })
    await listen(strict.server)
    const [problem] = await problemsOf('mail', { SMTP_URL: `smtp://user:secret-password@127.0.0.1:${strictPort}` })
    expect(problem?.problem).toMatch(/^the mail server 127\.0\.0\.1:\d+ cannot be used: Invalid login/)
    expect(JSON.stringify(problem)).not.toContain('secret-password')
    expect(await problemsOf('mail', { SMTP_URL: 'smtp://127.0.0.1:1' })).toEqual(found('ECONNREFUSED'))
    expect(mails).toEqual([])
  })

  test('a sender whose characters the mail server does not support', async () => {
    const { url } = await startMailServer({ offersSmtpUtf8: false })
    const sender = (mailFrom: string) => problemsOf('mail', { SMTP_URL: url, MAIL_FROM: mailFrom })
    expect(await sender('Konten <grüße@accounts.test>')).toEqual(found('the characters of MAIL_FROM'))
    expect(await sender('Grüße <konten@bücher.example>')).toEqual([])
  })

  test('a full disk', async () => {
    // The file system of /proc has no free space.
    expect(await problemsOf('disk', { DATA_DIR: '/proc/none' })).toEqual(found('/proc has 0 MB of free space'))
  })

  test('a database that lacks a table, by every check that needs it, and still runs the others', async () => {
    await change('ALTER TABLE team_counts RENAME TO counts', 'ALTER TABLE counts RENAME TO team_counts')
    expect(await problemsOf('counts')).toEqual(found('the check failed: relation "team_counts" does not exist'))
    expect(await problemsOf('disk')).toEqual([])
  })
})

describe('doctor in production', () => {
  const service = useService()
  const proxy = { handler: undefined as RequestListener | undefined }
  const { port, listen, release } = reservePort()
  const server = createServer((request, response) => proxy.handler?.(request, response))
  const address = `http://127.0.0.1:${port}`
  const check = (authUrl: string) => problemsOf('address', { ...production, AUTH_URL: authUrl })

  beforeAll(() => listen(server))
  afterAll(() => {
    release()
    server.close()
  })

  test('reaches the service at AUTH_URL', async () => {
    expect(await check(service.url)).toEqual([])
  })

  test.each([
    ['a proxy that changes Host', 421, '', 'the proxy changes Host'],
    ['a proxy without a route', 404, '', 'responds with 404'],
    ['another issuer', 200, '{"issuer":"https://other.example"}', 'is of the issuer https://other.example'],
    ['another service', 200, '<html>', 'is of another service'],
  ])('finds %s', async (_, status, body, problem) => {
    proxy.handler = (_, response) => void response.writeHead(status).end(body)
    expect(await check(address)).toEqual(found(problem))
  })

  test('finds that nothing listens', async () => {
    expect(await check('http://127.0.0.1:1')).toEqual(found('cannot be reached'))
  })
})

describe('the documentation of doctor', () => {
  test('lists every check', () => {
    const page = readFileSync('docs/operations/doctor.md', 'utf8')
    const rows = Array.from(page.matchAll(/^\| `(\w+)` \| ([^|]+) \|/gm), ([, name, text]) => [name, text])
    expect(rows).toEqual(checks.map(({ name, description }) => [name, description]))
  })
})
