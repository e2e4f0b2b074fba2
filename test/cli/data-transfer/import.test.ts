import { describe, expect, test } from 'vitest'
import { verify } from '@node-rs/argon2'
import { sha256 } from '../../../schema/core/sha256.ts'
import { useCli } from '../../support/service/cli.ts'
import { all, summary } from '../../support/data/records/counts.ts'
import { everything } from '../../support/data/records/everything.ts'
import type { Counts } from '../../support/data/records/counts.ts'

const cli = useCli()
const { pool } = cli

async function imported(records: readonly object[]) {
  const { status, stdout, stderr } = await cli.import(records, '--json')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** The location and the writing transaction of each row: equal only if no row was written. */
async function rowVersions() {
  const tables = [
    'users',
    'teams',
    'members',
    'connected_apps',
    'invoices',
    'invoice_lines',
    'access_tokens',
    'oauth_clients',
    'oauth_client_secrets',
    'pictures',
    'webhooks',
    'team_domains',
    'identity_providers',
    'group_roles',
    'external_identities',
  ]
  const { rows } = await pool.query(
    tables.map((table) => `SELECT '${table}' AS t, xmin::text, xmax::text, ctid::text FROM ${table}`).join(' UNION ALL '),
  )
  return rows.map((row) => JSON.stringify(row)).toSorted()
}

describe('an import of one record of each type', () => {
  test('creates every record as written; a second import writes no row and adds one audit entry', async () => {
    const { slug, owner, token, records } = everything()
    expect(await imported(records)).toEqual(summary(all(1)))
    const { rows } = await pool.query(
      `SELECT t.name, t.timezone, t.gravatar_email, t.created_at, i.subtotal::int, i.tax::int, i.amount_paid::int, i.invoice_date::text, i.paid_at,
         (SELECT json_agg(json_build_array(position, application, description, quantity, unit_amount, period_start, period_end) ORDER BY position)
          FROM invoice_lines WHERE invoice_id = i.id) AS lines,
         (SELECT json_agg(json_build_array(m.role, m.all_applications, m.applications) ORDER BY m.role) FROM members m WHERE m.team_id = t.id) AS members,
         (SELECT json_build_array(encode(hash, 'hex'), last_four, scopes, expires_at) FROM access_tokens WHERE team_id = t.id) AS token
       FROM teams t JOIN invoices i ON i.team_id = t.id WHERE t.slug = $1`,
      [slug],
    )
    expect(rows).toEqual([
      {
        name: 'Acme',
        timezone: 'Europe/Kyiv',
        gravatar_email: 'crew@example.com',
        created_at: new Date('2020-02-29T10:00:00Z'),
        subtotal: 2000,
        tax: 600,
        amount_paid: 2600,
        invoice_date: '2026-02-01',
        paid_at: new Date('2026-02-03T08:00:00.500Z'),
        lines: [
          [0, 'deploy', 'Seats', 3, 1000, '2026-01-01', '2026-01-31'],
          [1, null, 'Credit', 1, -1000, null, null],
        ],
        members: [
          ['owner', true, []],
          ['member', false, ['flow', 'deploy']],
        ],
        token: [sha256(token).toString('hex'), token.slice(-4), ['teams', 'acct:team:members:read'], null],
      },
    ])
    const { rows: people } = await pool.query('SELECT password_hash, email_verified FROM users WHERE email = $1', [owner])
    expect(people).toEqual([{ password_hash: expect.any(String), email_verified: true }])
    expect(await verify(people[0].password_hash, 'correct horse')).toBe(true)

    const before = await rowVersions()
    expect(await imported(records)).toEqual(summary(all(0)))
    expect(await rowVersions()).toEqual(before)
    const { rows: entries } = await pool.query(
      `SELECT actor_kind, authentication_method AS "authenticationMethod", subject, after FROM audit_entries WHERE action = 'import' ORDER BY at DESC LIMIT 2`,
    )
    const entry = { actor_kind: 'operator', authenticationMethod: 'command_line', subject: 'standard input' }
    expect(entries).toEqual([
      { ...entry, after: { ...summary(all(0)).records, wrong: 0 } },
      { ...entry, after: { ...summary(all(1)).records, wrong: 0 } },
    ])
  })

  test('updates only the records that changed', async () => {
    const { slug, owner, records } = everything()
    await imported(records)
    const before = await rowVersions()
    const changes = (record: (typeof records)[number]): object => {
      if (record.type === 'team') return { name: 'Acme & Sons', timezone: null, created_at: undefined }
      if (record.type === 'invoice') return { status: 'void' }
      if (record.kind === 'team') return { value: undefined, sha256: sha256(String(record.value)).toString('hex'), name: 'build' }
      if (record.email !== owner) return {}
      return { email: ` ${owner.toUpperCase()}`, name: 'Ada L.', password: undefined, email_verified: undefined }
    }
    const changed = records.map((record) => Object.assign({}, record, changes(record)))
    const counts: Counts = {
      user: [2, 0, 1, 1],
      team: [1, 0, 1, 0],
      member: [2, 0, 0, 2],
      app: [1, 0, 0, 1],
      invoice: [1, 0, 1, 0],
      token: [2, 0, 1, 1],
      client: [1, 0, 0, 1],
      webhook: [1, 0, 0, 1],
      domain: [1, 0, 0, 1],
      identity_provider: [1, 0, 0, 1],
      group_role: [1, 0, 0, 1],
      linked_identity: [2, 0, 0, 2],
    }
    expect(await imported(changed)).toEqual(summary(counts))
    const { rows } = await pool.query(
      `SELECT t.name, t.timezone, t.created_at, t.updated_at > t.created_at AS touched, u.name AS person, u.password_hash IS NOT NULL AS password,
         u.email_verified, i.status, k.name AS token, k.last_four
       FROM teams t JOIN members m ON m.team_id = t.id AND m.role = 'owner' JOIN users u ON u.id = m.user_id
       JOIN invoices i ON i.team_id = t.id JOIN access_tokens k ON k.team_id = t.id WHERE t.slug = $1`,
      [slug],
    )
    const kept = {
      created_at: new Date('2020-02-29T10:00:00Z'),
      password: true,
      email_verified: true,
      last_four: expect.stringMatching(/^.{4}$/),
    }
    expect(rows).toEqual([
      { name: 'Acme & Sons', timezone: null, touched: true, person: 'Ada L.', status: 'void', token: 'build', ...kept },
    ])
    expect((await rowVersions()).filter((version) => !before.includes(version))).toHaveLength(5)

    const invoice = changed.find(({ type }) => type === 'invoice')
    const credit = { tax: -190, lines: [{ description: 'Credit', quantity: 1, unit_amount: -1000 }] }
    expect(await imported([Object.assign({}, invoice, credit)])).toEqual(summary({ invoice: [1, 0, 1, 0] }))
    const { rows: lines } = await pool.query(
      `SELECT i.subtotal::int, i.tax::int, l.position, l.description FROM invoices i JOIN teams t ON t.id = i.team_id JOIN invoice_lines l ON l.invoice_id = i.id WHERE t.slug = $1`,
      [slug],
    )
    expect(lines).toEqual([{ subtotal: -1000, tax: -190, position: 0, description: 'Credit' }])
  })
})

test('an account without an address is imported as its export has it, and not with a verified one', async () => {
  const email = '0b6dd2f5-9d3a-4d3c-8a52-1f2f6c1f7f10@no-address.invalid'
  const grace = { type: 'user', email, name: 'Grace' }
  await imported([grace])
  const { stdout } = await cli.run('export')
  const exported = stdout.split('\n').find((line) => line.includes(email)) ?? ''
  expect(await imported([JSON.parse(exported)])).toEqual(summary({ user: [1, 0, 0, 1] }))
  const { status, stderr } = await cli.import([{ ...grace, email_verified: true }])
  expect(status).not.toBe(0)
  expect(stderr).toContain('The email verified field must be false for an account without an email address.')
  const { rows } = await pool.query('SELECT name, email_verified FROM users WHERE email = $1', [email])
  expect(rows).toEqual([{ name: 'Grace', email_verified: false }])
})
