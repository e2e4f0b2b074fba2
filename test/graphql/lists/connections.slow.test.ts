import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import type { OwnedTeam } from '../../support/data/team.ts'
import { numberedPages, walk } from '../../support/graphql/walk-list.ts'
import type { ListField } from '../../support/graphql/walk-list.ts'
import { fuzzing } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { pool } = service.database

// Values repeat, so that the identifiers decide the order, and some due dates are absent.
const addMembers = `WITH added AS (INSERT INTO users (email, name)
    SELECT gen_random_uuid() || '@example.com', (ARRAY['Ada', 'ada', 'Émile', 'Zoë', '%_'])[1 + i % 5] FROM generate_series(1, $2::int) i RETURNING id)
  INSERT INTO members (team_id, user_id, role, joined_at, all_applications, applications)
  SELECT $1, id, (ARRAY['member', 'billing', 'owner']::"Role"[])[1 + n % 3], '2026-01-01Z'::timestamptz + n % 5 * interval '1 day', n % 2 = 0, CASE WHEN n % 2 = 0 THEN '{}' ELSE (ARRAY['{deploy}', '{flow}'])[1 + n / 2 % 2]::"Application"[] END
  FROM (SELECT id, row_number() OVER () AS n FROM added) numbered`
const addInvoices = `INSERT INTO invoices (team_id, number, application, status, currency, subtotal, tax, invoice_date, due_date)
  SELECT $1, gen_random_uuid(), (ARRAY['deploy', 'flow', NULL]::"Application"[])[1 + i % 3], (ARRAY['open', 'paid']::"InvoiceStatus"[])[1 + i % 2],
    (ARRAY['eur', 'usd'])[1 + i % 2], i % 3 * 100, i % 2 * 100, date '2026-01-01' + i % 7, CASE WHEN i % 4 > 0 THEN date '2026-02-01' + i % 3 END
  FROM generate_series(1, $2::int) i`

const members = {
  name: 'members',
  id: 'userId',
  add: addMembers,
  remove: `DELETE FROM members WHERE team_id = $1 AND user_id = ANY ($2)`,
  orders: ['JOINED', 'NAME', 'ROLE'],
  filters: [
    'role: BILLING',
    'appId: DEPLOY',
    'search: "ad"',
    'search: "%"',
    'joinedSince: "2026-01-02T00:00:00Z"',
    'joinedUntil: "2026-01-04T00:00:00Z"',
  ],
}
const invoices = {
  name: 'invoices',
  id: 'invoiceId',
  add: addInvoices,
  remove: `DELETE FROM invoices WHERE team_id = $1 AND id = ANY ($2)`,
  orders: ['DATE', 'DUE', 'NUMBER', 'TOTAL'],
  filters: [
    'appId: FLOW',
    'status: OPEN',
    'overdue: true',
    'currency: "EUR"',
    'since: "2026-01-03"',
    'until: "2026-01-05"',
    'dueSince: "2026-02-02"',
    'search: "a"',
  ],
}
const apps = {
  name: 'apps',
  id: 'appId',
  add: `INSERT INTO connected_apps (team_id, application, name, connected_at)
    SELECT $1, unnest(enum_range(NULL::"Application")), 'App', '2026-01-01Z' WHERE $2 = 1`,
  remove: `DELETE FROM connected_apps WHERE team_id = $1 AND upper(application::text) = ANY ($2)`,
  orders: ['APP', 'NAME', 'CONNECTED'],
  filters: ['status: ACTIVE'],
}
const listField = fc.constantFrom(members, invoices, apps, { ...members, name: 'membersWithoutTwoFactor' }).chain((list) =>
  fc.record({
    list: fc.constant(list),
    order: fc.option(fc.tuple(fc.constantFrom(...list.orders), fc.constantFrom('ASC', 'DESC'))),
    filters: fc.uniqueArray(fc.constantFrom(...list.filters), { maxLength: 2, selector: (filter) => filter.split(':')[0] }),
  }),
)
const sizes = { size: fc.integer({ min: 1, max: 30 }), isBackward: fc.boolean() }
const fieldOf = (list: typeof members, order: [string, string] | null, filters: string[]): ListField => ({
  ...list,
  args: [`orderBy: ${order ? `{ field: ${order[0]}, direction: ${order[1]} }` : 'null'}`, ...filters].join(', '),
})

let owned: OwnedTeam
beforeEach(async () => {
  owned = await createOwnedTeam(service.database)
  await pool.query(addMembers, [owned.team.id, 40])
  await pool.query(addInvoices, [owned.team.id, 40])
  await pool.query(apps.add, [owned.team.id, 1])
})

test('the pages of a connection contain the rows of the numbered pages in their order, forward and backward', async () => {
  await fc.assert(
    fc.asyncProperty(listField, fc.record(sizes), async ({ list, order, filters }, { size, isBackward }) => {
      const field = fieldOf(list, order, filters)
      expect(await walk(service, owned, field, size, isBackward)).toEqual(await numberedPages(service, owned, field, 17))
    }),
    fuzzing({ short: 60, full: 1_000 }),
  )
})

test('a walk returns every row that remains exactly once and in order, while others are added and deleted', async () => {
  await fc.assert(
    fc.asyncProperty(
      listField,
      fc.record(sizes),
      fc.infiniteStream(fc.nat()),
      async ({ list, order, filters }, { size, isBackward }, random) => {
        const field = fieldOf(list, order, filters)
        const before = await numberedPages(service, owned, field, 50)
        const leaving = before.filter((id) => id !== owned.owner.id && random.next().value % 3 === 0)
        const change = async () => {
          await pool.query(list.add, [owned.team.id, leaving.length > 0 ? 2 : 0])
          await pool.query(list.remove, [owned.team.id, leaving.splice(0, 2)])
        }
        const found = await walk(service, owned, field, size, isBackward, change)
        expect(new Set(found).size).toBe(found.length)
        const after = new Set(await numberedPages(service, owned, field, 50))
        const staying = before.filter((id) => after.has(id))
        expect(found.filter((id) => staying.includes(id))).toEqual(staying)
      },
    ),
    fuzzing({ short: 25, full: 300 }),
  )
})
