import { expect, test } from 'vitest'
import { runCli, useCli } from '../../support/service/cli.ts'

const { env, pool } = useCli()

const team = { type: 'team', slug: 'acme', name: 'Acme' }
const invoice = (number: string, status = 'open') => ({
  type: 'invoice',
  team: 'acme',
  number,
  status,
  currency: 'eur',
  invoice_date: '2026-01-31',
  lines: [{ description: 'Seats', quantity: 1, unit_amount: 100 }],
})
const importOf = (records: object[], ...options: string[]) =>
  runCli(env, ['import', '-', ...options], records.map((record) => `${JSON.stringify(record)}\n`).join(''))

test('an import announces the invoices that it creates only with --send-mails, and no cancelled ones', async () => {
  expect((await importOf([team, invoice('A-1')])).status).toBe(0)
  const changed = { ...invoice('A-1'), due_date: '2026-02-14' }
  expect((await importOf([changed, invoice('A-2'), invoice('A-3', 'paid'), invoice('A-4', 'void')], '--send-mails')).status).toBe(0)
  const { rows } = await pool.query('SELECT number FROM invoices WHERE announces_issue ORDER BY number')
  expect(rows).toEqual([{ number: 'A-2' }, { number: 'A-3' }])
})
