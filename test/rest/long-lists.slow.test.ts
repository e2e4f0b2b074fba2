import fc from 'fast-check'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { expectExactCounts } from '../support/data/kept-counts.ts'
import { graphql } from '../support/http/graphql.ts'
import { request } from '../support/http/request.ts'
import { rowsRead } from '../support/data/rows-read.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import type { OwnedTeam } from '../support/data/team.ts'
import { fuzzing } from '../support/service/full.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { pool } = service.database

// Join times and invoice dates repeat, so that the identifiers decide the order.
const addMembers = `WITH added AS (INSERT INTO users (email, name) SELECT gen_random_uuid() || '@example.com', 'User' FROM generate_series(1, $2::int) RETURNING id)
  INSERT INTO members (team_id, user_id, role, joined_at)
  SELECT $1, id, 'member', date_trunc('minute', now()) + row_number() OVER () % 5 * interval '1 minute' FROM added`
const addInvoices = `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, invoice_date)
  SELECT $1, gen_random_uuid(), (ARRAY['deploy', 'flow', NULL]::"Application"[])[1 + i % 3], 'open', 'eur', 1, date '2026-01-01' + i % 7 FROM generate_series(1, $2::int) i`
const remove = (table: string, key: string) =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE team_id = $1 ${table === 'members' ? `AND role = 'member'` : ''} ORDER BY md5(${key}::text) LIMIT $2)`

const lists = [
  { path: 'members', rows: 'user_id AS id FROM members WHERE team_id = $1', order: 'joined_at, user_id' },
  { path: 'invoices?sort=asc', rows: 'id FROM invoices WHERE team_id = $1', order: 'invoice_date, id' },
  { path: 'invoices?sort=desc', rows: 'id FROM invoices WHERE team_id = $1', order: 'invoice_date DESC, id DESC' },
  {
    path: 'invoices?app_id=deploy',
    rows: `id FROM invoices WHERE team_id = $1 AND application = 'deploy'`,
    order: 'invoice_date DESC, id DESC',
  },
  {
    path: 'invoices?app_id=flow&sort=asc',
    rows: `id FROM invoices WHERE team_id = $1 AND application = 'flow'`,
    order: 'invoice_date, id',
  },
]

const read = async ({ team, token }: OwnedTeam, path: string, page: number, size: number) => {
  const separator = path.includes('?') ? '&' : '?'
  const { status, body } = await request(service, 'GET', `/api/v1/teams/${team.slug}/${path}${separator}per_page=${size}&page=${page}`, {
    token,
  })
  expect(status).toBe(200)
  return body
}

test('every page is the one that OFFSET selects, and the total is the number of rows, after any insertions and deletions', async () => {
  const owned = await createOwnedTeam(service.database)
  const change = fc.constantFrom(addMembers, addInvoices, remove('members', 'user_id'), remove('invoices', 'id'))
  const position = fc.record({
    list: fc.constantFrom(...lists),
    page: fc.integer({ min: 1, max: 12 }),
    size: fc.integer({ min: 1, max: 40 }),
  })
  await fc.assert(
    fc.asyncProperty(
      change,
      fc.integer({ min: 0, max: 60 }),
      fc.array(position, { minLength: 4, maxLength: 8 }),
      async (text, count, positions) => {
        await pool.query(text, [owned.team.id, count])
        for (const { list, page, size } of positions) {
          const { rows } = await pool.query<{ id: string }>(`SELECT ${list.rows} ORDER BY ${list.order} LIMIT $2 OFFSET $3`, [
            owned.team.id,
            size,
            (page - 1) * size,
          ])
          const total = (await pool.query(`SELECT ${list.rows}`, [owned.team.id])).rowCount
          const { data, meta } = await read(owned, list.path, page, size)
          expect([list.path, meta.total, data.map(({ id }: { id: string }) => id)]).toEqual([list.path, total, rows.map(({ id }) => id)])
        }
      },
    ),
    fuzzing({ short: 40, full: 400 }),
  )
})

test('a list whose rows are replaced at the same time has the same total and full pages at any time', async () => {
  const owned = await createOwnedTeam(service.database)
  await pool.query(addMembers, [owned.team.id, 89])
  const reading = new AbortController()
  onTestFinished(() => reading.abort())
  const replace = async () => {
    const session = await pool.connect()
    while (!reading.signal.aborted) {
      await session.query('BEGIN')
      // The lock that changes of members take. Without it, two writers could delete the same rows.
      await session.query('SELECT FROM teams WHERE id = $1 FOR NO KEY UPDATE', [owned.team.id])
      await session.query(remove('members', 'user_id'), [owned.team.id, 30])
      await session.query(addMembers, [owned.team.id, 30])
      await session.query('COMMIT')
    }
    session.release()
  }
  const writers = [replace(), replace()]
  for (let round = 0; round < 20; round++) {
    const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => read(owned, 'members', page, 20)))
    for (const [index, { data, meta }] of pages.entries()) {
      expect([meta.total, data.length]).toEqual([90, index < 4 ? 20 : index === 4 ? 10 : 0])
      const order = data.map(({ joined_at, id }: { joined_at: string; id: string }) => `${joined_at} ${id}`)
      expect(order).toEqual(order.toSorted())
      expect(new Set(order).size).toBe(order.length)
    }
  }
  reading.abort()
  await Promise.all(writers)
})

test('the total is the number of rows while many members are removed at the same time', async () => {
  const owned = await createOwnedTeam(service.database)
  await pool.query(addMembers, [owned.team.id, 20])
  const { data } = await read(owned, 'members', 1, 100)
  const guests = data.filter(({ role }: { role: string }) => role === 'member')
  const removal = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { member { id: userId } } }`
  const removals = guests.slice(0, 12).map(({ id: userId }: { id: string }) => {
    return graphql(service, owned.token, removal, { input: { team: owned.team.slug, userId } })
  })
  for (let round = 0; round < 12; round++) {
    const { meta, data: rows } = await read(owned, 'members', 1, 100)
    expect(meta.total).toBe(rows.length)
  }
  for (const { errors } of await Promise.all(removals)) expect(errors).toEqual([])
  expect((await read(owned, 'members', 1, 100)).meta.total).toBe(9)
  await expectExactCounts(pool)
})

describe('of a list of 3,000 rows', () => {
  let owned: OwnedTeam
  beforeAll(async () => {
    owned = await createOwnedTeam(service.database)
    await pool.query(addMembers, [owned.team.id, 2_999])
    await pool.query(addInvoices, [owned.team.id, 3_000])
    await pool.query('ANALYZE')
  })

  /** Returns the number of table and index rows that the statement of a page reads. */
  async function costOf(table: string, offset: number): Promise<number> {
    service.statements.length = 0
    await read(owned, table, 1, 50)
    const text = service.statements.find((each) => each.includes(`FROM ${table} WHERE team_id`)) ?? ''
    return rowsRead(pool, text, [owned.team.id, 50, offset])
  }

  test.each([
    ['members', 'first', 0, 120],
    ['members', 'last', 2_950, 170],
    ['invoices', 'first', 0, 120],
    ['invoices', 'last', 2_950, 170],
  ])('%s: the %s page reads few more rows than it has', async (table, _, offset, limit) => {
    expect(await costOf(table, offset)).toBeLessThan(limit)
  })

  test.each(['members', 'invoices'])(
    '%s: the middle page reads half of the index, and a page beyond the last one nothing',
    async (table) => {
      expect(await costOf(table, 1_500)).toBeLessThan(1_700)
      expect(await costOf(table, 1_000_000)).toBeLessThan(20)
    },
  )
})
