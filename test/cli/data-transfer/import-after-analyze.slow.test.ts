import { expect, test } from 'vitest'
import { useCli } from '../../support/service/cli.ts'

const cli = useCli()
const teams = 400

/** 6,400 records: teams with an owner, members and invoices, type by type as `export` writes them. */
function records(): object[] {
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
  const line = { description: 'Use', quantity: 1, unit_amount: 100 }
  return [
    ...numbers(2 * teams).map((n) => ({ type: 'user', email: `user-${n}@example.com`, name: `User ${n}` })),
    ...numbers(teams).map((n) => ({ type: 'team', slug: `team-${n}`, name: `Team ${n}` })),
    ...numbers(5 * teams).map((n) => ({
      type: 'member',
      team: `team-${n % teams}`,
      user: `user-${(n + Math.floor(n / teams)) % (2 * teams)}@example.com`,
      role: n < teams ? 'owner' : 'member',
    })),
    ...numbers(8 * teams).map((n) => ({
      type: 'invoice',
      team: `team-${n % teams}`,
      number: `INV-${n}`,
      status: 'open',
      currency: 'eur',
      invoice_date: '2026-01-31',
      lines: [line],
    })),
  ]
}

test('an import into tables that were analysed while empty, as after restore, does not read them again for every row', async () => {
  await cli.pool.query('ANALYZE')
  expect((await cli.import(records(), '--json')).status).toBe(0)
  // The session of the command has ended, so that its statistics are complete.
  const { rows } = await cli.pool.query<{ read: number }>(
    `SELECT sum(seq_tup_read)::int AS read FROM pg_stat_user_tables WHERE schemaname = 'public'`,
  )
  // Without ANALYZE during the import, it reads 132 rows for each record, and more the larger the file is.
  expect((rows[0]?.read ?? 0) / records().length).toBeLessThan(40)
})
