import { expect, test } from 'vitest'
import { isTaxForLines, calculateTaxes } from '../../../schema/invoices/taxes.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

const line = (amount: number, taxRate: number | null) => ({ amount, taxRate })

test.each([
  ['one rate', [line(1000, 19)], 190, [{ rate: 19, net: 1000, tax: 190 }]],
  [
    'two rates, the highest first',
    [line(1000, 7), line(2000, 19), line(500, 7)],
    485,
    [
      { rate: 19, net: 2000, tax: 380 },
      { rate: 7, net: 1500, tax: 105 },
    ],
  ],
  ['a rate with decimal places', [line(20_000, 8.875)], 1775, [{ rate: 8.875, net: 20_000, tax: 1775 }]],
  ['a rate of 0', [line(1000, 0)], 0, [{ rate: 0, net: 1000, tax: 0 }]],
  ['a credit', [line(-1050, 7)], -74, [{ rate: 7, net: -1050, tax: -74 }]],
  [
    'tax that was rounded for each line',
    [line(3, 19), line(3, 19), line(10, 7)],
    3,
    [
      { rate: 19, net: 6, tax: 2 },
      { rate: 7, net: 10, tax: 1 },
    ],
  ],
  ['no rates', [line(1000, null), line(500, null)], 285, [{ rate: null, net: 1500, tax: 285 }]],
  ['no lines', [], 0, [{ rate: null, net: 0, tax: 0 }]],
])('the tax of lines with %s is summed by rate, in sum the tax of the invoice', (_, lines, tax, taxes) => {
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0)
  expect(calculateTaxes(lines, { subtotal, tax })).toEqual(taxes)
})

test.each([
  [[[1000, 19]], 190, true],
  [[[1000, 19]], 192, false],
  // Rounded for each line: 0.57 twice is 2 instead of 1.
  [
    [
      [3, 19],
      [3, 19],
    ],
    2,
    true,
  ],
  [[[Number.MAX_SAFE_INTEGER, 100]], Number.MAX_SAFE_INTEGER, true],
  [[[-1000, 19]], -190, true],
] as [[number, number][], number, boolean][])('lines with %j have the tax %d: %s', (lines, tax, isTax) => {
  const rated = lines.map(([amount, taxRate]) => ({ amount: BigInt(amount), taxRate }))
  expect(isTaxForLines(rated, tax)).toBe(isTax)
})

test('an invoice has the rate of each line and the tax by rate, which REST does not show', async () => {
  const { team, token } = await createOwnedTeam(database)
  const { id, lines } = await createInvoice(database, team, { tax: 264n }, [1000, 1000, 0])
  for (const [index, { id: lineId }] of lines.entries())
    await database.prisma.invoiceLine.update({ where: { id: lineId }, data: { taxRate: [19, 7.4, 19][index] ?? null } })
  const query = `{ team(slug: "${team.slug}") { invoice(id: "${id}") { lines { taxRate } taxes { rate net tax } } } }`
  expect((await graphql(service, token, query)).data.team.invoice).toEqual({
    lines: [{ taxRate: 19 }, { taxRate: 7.4 }, { taxRate: 19 }],
    taxes: [
      { rate: 19, net: 1000, tax: 190 },
      { rate: 7.4, net: 1000, tax: 74 },
    ],
  })
})
