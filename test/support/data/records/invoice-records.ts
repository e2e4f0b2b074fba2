import fc from 'fast-check'
import { InvoiceStatus } from '../../../../prisma/generated/client/enums.ts'
import { application, instant, name, nullable, optional, text } from './record-values.ts'

const day = instant.map((value) => value.slice(0, 10))
const period = fc
  .tuple(nullable(day), nullable(day))
  .map(([a, b]) => (a && b && a > b ? { period_start: b, period_end: a } : { period_start: a, period_end: b }))

const line = fc
  .record({
    description: text,
    quantity: fc.nat(1_000_000),
    unit_amount: fc.integer({ min: -1e9, max: 1e9 }),
    app_id: nullable(application),
    period,
  })
  .map(({ period, ...rest }) => Object.assign(rest, period))

/** Lines with a rate, and the tax that it gives. */
const taxedAt = (rate: number, lines: readonly { quantity: number; unit_amount: number }[]) => ({
  lines: lines.map((each) => ({ ...each, tax_rate: rate })),
  tax: Math.round((lines.reduce((sum, each) => sum + each.quantity * each.unit_amount, 0) * rate) / 100),
})

const amount = nullable(fc.nat())
/** An invoice of one of the teams. */
export const invoiceOf = (team: fc.Arbitrary<string>) =>
  fc
    .record({
      type: fc.constant('invoice'),
      team,
      number: name,
      app_id: nullable(application),
      status: fc.constantFrom(...Object.values(InvoiceStatus)),
      currency: fc.constantFrom('eur', 'usd', 'jpy'),
      tax: amount,
      amount_paid: amount,
      invoice_date: day,
      due_date: nullable(day),
      paid_at: nullable(instant),
      period,
      lines: fc.array(line, { maxLength: 4 }),
      rate: optional(fc.constantFrom(0, 19, 8.875)),
    })
    .map(({ period, rate, ...rest }) =>
      Object.assign(rest, period, rate !== undefined && rest.lines.length > 0 && taxedAt(rate, rest.lines)),
    )
