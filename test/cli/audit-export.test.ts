import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCli, useCli } from '../support/service/cli.ts'
import { createDatabase } from '../support/service/database.ts'

const { pool, run, answer } = useCli()
const folder = mkdtempSync(path.join(tmpdir(), 'team-account-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const insert = `INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, credential_id, team_id, subject, subject_name, before, after, request_id)
  SELECT at::timestamptz, action, 'user', 'Ada', 'session', 'secret-session', (SELECT id FROM teams WHERE slug = team), 's1', NULL, NULL, '{"a":1}', 'r1'
  FROM (VALUES ('2026-01-01T00:00:00Z', 'first', 'crew'), ('2026-01-31T09:30:00.123Z', 'second', 'crew'), ('2026-02-01T00:00:00Z', 'third', 'other'))
    AS entry (at, action, team)`
beforeAll(async () => {
  await pool.query(`INSERT INTO teams (slug, name) VALUES ('crew', 'Crew'), ('other', 'Other')`)
  await pool.query(insert)
})

async function exported(...options: string[]) {
  const { status, stdout, stderr } = await run('audit', 'export', ...options)
  expect([status, stderr]).toEqual([0, ''])
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}
/** The actions without the exports by these tests, which write an entry each. */
const actions = async (...options: string[]) =>
  (await exported(...options)).map(({ action }) => action).filter((action) => action !== 'exportAuditLog')

describe('audit export', () => {
  test('writes every entry as a line of JSON, oldest first, without the identifier of the credential', async () => {
    const entries = await exported()
    expect(entries.map(({ action }) => action)).toEqual(['first', 'second', 'third', 'exportAuditLog'])
    expect(entries[1]).toEqual({
      at: '2026-01-31T09:30:00.123Z',
      action: 'second',
      actor: { kind: 'user', name: 'Ada', user_id: null },
      authentication_method: 'session',
      client_name: null,
      team: 'crew',
      subject: 's1',
      subject_name: null,
      before: null,
      after: { a: 1 },
      reason: null,
      request_id: 'r1',
    })
  })

  test.each([
    [
      ['--team', 'crew'],
      ['first', 'second'],
    ],
    [
      ['--since', '2026-01-31'],
      ['second', 'third'],
    ],
    [['--since', '2026-01-31T09:30:00.124Z'], ['third']],
    [
      ['--since', '2026-01-31T10:30:00.123+01:00'],
      ['second', 'third'],
    ],
    [
      ['--until', '2026-02-01'],
      ['first', 'second'],
    ],
    [['--team', 'crew', '--since', '2026-01-02', '--until', '2026-03-01'], ['second']],
    [['--since', '2027-01-01'], []],
  ])('with %j writes %j', async (options, expected) => {
    expect(await actions(...options)).toEqual(expected)
  })

  test('writes a file that only its owner can read', async () => {
    const file = path.join(folder, 'audit.ndjson')
    expect(await answer('audit', 'export', file, '--team', 'crew')).toEqual({ entries: 2 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3)
    expect((await run('audit', 'export', file, '--until', '2026-03-01')).stdout).toBe('Wrote 3 entries.\n')
  })

  test('writes an audit entry with the name of the file and the filters before it reads entries', async () => {
    const file = path.join(folder, 'audited.ndjson')
    await answer('audit', 'export', file)
    expect(JSON.parse(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      action: 'exportAuditLog',
      actor: { kind: 'operator', name: expect.stringMatching(/./), user_id: null },
      authentication_method: 'command_line',
      client_name: null,
      team: null,
      subject: file,
      before: null,
      after: { team: null, since: null, until: null },
    })
    await answer('audit', 'export', file, '--team', 'crew', '--since', '2026-01-31T10:30:00+01:00', '--until', '2026-02-01')
    expect((await exported()).at(-2)).toMatchObject({
      action: 'exportAuditLog',
      after: { team: 'crew', since: '2026-01-31T09:30:00.000Z', until: '2026-02-01T00:00:00.000Z' },
    })
  })

  test('warns and continues if the audit entry cannot be written', async () => {
    const { url, drop } = await createDatabase()
    const readOnly = new URL(url)
    readOnly.searchParams.set('options', '-c default_transaction_read_only=on')
    expect(await runCli({ DATABASE_URL: readOnly.href }, ['audit', 'export'])).toEqual({
      status: 0,
      stdout: '',
      stderr: 'warning: the audit log has no entry of this export: cannot execute INSERT in a read-only transaction\n',
    })
    await drop()
  })

  test('includes entries of a deleted team, without its slug', async () => {
    await pool.query(`INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, team_id, subject, request_id)
      VALUES ('2025-01-01T00:00:00Z', 'former', 'operator', 'root', 'command_line', gen_random_uuid(), 's', 'r')`)
    expect((await exported('--until', '2025-06-01'))[0]).toMatchObject({ action: 'former', team: null })
  })

  test('streams, so that many entries need little memory', async () => {
    await pool.query(`INSERT INTO audit_entries (at, action, actor_kind, actor_name, authentication_method, subject, request_id)
      SELECT '2024-01-01'::timestamptz + n * interval '1 second', 'many', 'operator', 'root', 'command_line', 's', 'r' FROM generate_series(1, 3000) n`)
    expect(await exported('--until', '2024-12-31')).toHaveLength(3000)
  })

  const usage = '(see: npm run -s cli -- audit export --help)'
  const timeRule = (option: string, value: string) =>
    `${option} must be a date such as 2026-01-31 or an instant such as 2026-01-31T09:30:00Z; it is ${value} ${usage}`
  test.each([
    [['--team', 'nowhere'], 1, 'unknown team nowhere'],
    [['--since', 'yesterday'], 2, timeRule('--since', 'yesterday')],
    [['--since', '2026-02-31'], 2, timeRule('--since', '2026-02-31')],
    [['--since', '2026-01-31T09:30:00'], 2, timeRule('--since', '2026-01-31T09:30:00')],
    [['--until', '2026-13-01'], 2, timeRule('--until', '2026-13-01')],
    [['--since', '2026-02-01', '--until', '2026-02-01'], 2, `--until must be later than --since ${usage}`],
    [['/nonexistent/audit.ndjson'], 1, '/nonexistent/audit.ndjson: there is no such file or folder'],
  ] as const)('%j is refused with exit status %d', async (options, status, message) => {
    const { stderr, ...result } = await run('audit', 'export', ...options)
    expect([result, stderr.trimEnd()]).toEqual([{ status, stdout: '' }, message])
  })
})
