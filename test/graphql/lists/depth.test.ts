import { beforeAll, expect, test } from 'vitest'
import { rowsRead } from '../../support/data/rows-read.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { pool } = service.database

let owned: OwnedTeam
beforeAll(async () => {
  owned = await createOwnedTeam(service.database)
  await pool.query(
    `WITH added AS (INSERT INTO users (email, name) SELECT gen_random_uuid() || '@example.com', 'User' FROM generate_series(1, 3000) RETURNING id)
     INSERT INTO members (team_id, user_id, role, joined_at)
     SELECT $1, id, (ARRAY['owner', 'billing', 'member', 'member']::"Role"[])[1 + n % 4], '2026-01-01Z'::timestamptz + n * interval '1 minute'
     FROM (SELECT id, row_number() OVER () AS n FROM added) numbered`,
    [owned.team.id],
  )
  await pool.query(
    `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, invoice_date)
     SELECT $1, gen_random_uuid(), (ARRAY['deploy', 'flow']::"Application"[])[1 + i % 2], 'open', 'eur', 1, date '2026-01-01' + i % 300
     FROM generate_series(1, 3000) i`,
    [owned.team.id],
  )
  await pool.query('ANALYZE')
})

/** The text of the statement that reads a page of a connection after a cursor. */
async function statementOf(list: string, args: string): Promise<string> {
  const page = (place: string) =>
    graphql(
      service,
      owned.token,
      `{ team(slug: "${owned.team.slug}") { list: ${list}Connection(${place}, ${args}) { pageInfo { endCursor } } } }`,
    )
  const { data } = await page('first: 1')
  service.statements.length = 0
  await page(`first: 50, after: "${data.team.list.pageInfo.endCursor}"`)
  return service.statements.find((text) => text.includes('cursor0')) ?? ''
}

const members = 'FROM members r WHERE team_id = $1'
const invoices = 'FROM invoices r WHERE team_id = $1'

test.each([
  ['members', 'orderBy: { field: JOINED, direction: ASC }', `joined_at::text, user_id ${members} ORDER BY joined_at, user_id`],
  ['members', 'orderBy: { field: NAME, direction: DESC }', `person, user_id ${members} ORDER BY person DESC`],
  ['invoices', 'orderBy: { field: DATE, direction: DESC }', `invoice_date::text, id ${invoices} ORDER BY invoice_date DESC, id DESC`],
  ['invoices', 'appId: FLOW', `'flow', invoice_date::text, id ${invoices} AND application = 'flow' ORDER BY invoice_date DESC, id DESC`],
])('a page of %s with %s reads few rows at any depth', async (list, args, selected) => {
  const text = await statementOf(list, args)
  for (const depth of [10, 600, 1_200]) {
    const { rows } = await pool.query({ text: `SELECT ${selected} OFFSET $2 LIMIT 1`, values: [owned.team.id, depth], rowMode: 'array' })
    expect(await rowsRead(pool, text, [owned.team.id, 51, ...(rows[0] ?? [])])).toBeLessThan(200)
  }
})
