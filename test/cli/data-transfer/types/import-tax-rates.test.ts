import { expect, test } from 'vitest'
import { runCli, useCli } from '../../../support/service/cli.ts'

const { env, pool } = useCli()

const acme = { type: 'team', slug: 'acme', name: 'Acme' }
const line = { description: 'Seats', quantity: 1, unit_amount: 100 }
const invoice = { type: 'invoice', team: 'acme', number: 'A-1', status: 'open', currency: 'eur', invoice_date: '2026-01-31', lines: [line] }
const importOf = (...records: object[]) =>
  runCli(env, ['import', '-', '--json'], records.map((record) => `${JSON.stringify(record)}\n`).join(''))

test.each([
  [{ lines: [{ ...line, tax_rate: 19 }] }, 'tax', 'The tax field must be the tax of the lines at their rates.'],
  [{ tax: 21, lines: [{ ...line, tax_rate: 19 }] }, 'tax', 'The tax field must be the tax of the lines at their rates.'],
  [
    { tax: 19, lines: [{ ...line, tax_rate: 19 }, line] },
    'lines.1.tax_rate',
    'The lines.1.tax rate field is required if another line has it.',
  ],
  [{ lines: [{ ...line, tax_rate: 0.0001 }] }, 'lines.0.tax_rate', 'The lines.0.tax rate field must have at most three decimal places.'],
  [{ tax: 101, lines: [{ ...line, tax_rate: 101 }] }, 'lines.0.tax_rate', 'The lines.0.tax rate field must not be greater than 100.'],
])('an invoice with %j is refused at %s', async (members, member, message) => {
  const { status, stderr } = await importOf(acme, { ...invoice, ...members })
  expect([status, JSON.parse(stderr).error.lines]).toEqual([1, [{ line: 2, subject: 'invoice A-1', member, message }]])
})

test('the rates of the lines are stored exactly, and a change of a rate alone is an update', async () => {
  const rated = (rate: number, tax: number) => ({ ...invoice, tax, lines: [{ ...line, tax_rate: rate }] })
  expect((await importOf(acme, rated(8.875, 9))).status).toBe(0)
  const stored = async () => (await pool.query('SELECT tax_rate::text AS rate FROM invoice_lines')).rows
  expect(await stored()).toEqual([{ rate: '8.875' }])
  const counts = async (record: object) => JSON.parse((await importOf(record)).stdout).records.invoice
  expect(await counts(rated(8.875, 9))).toMatchObject({ unchanged: 1 })
  expect(await counts(rated(9, 9))).toMatchObject({ updated: 1 })
  expect(await stored()).toEqual([{ rate: '9.000' }])
})
