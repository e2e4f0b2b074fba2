import { z } from 'zod'
import { InvoiceStatus } from '../../../../prisma/generated/client/enums.ts'
import { applicationId } from '../../../../schema/apps/application.ts'
import { text } from '../../../../schema/core/validation.ts'
import { isTaxForLines } from '../../../../schema/invoices/taxes.ts'
import { teamSlug } from '../../../../schema/teams/rules.ts'
import { recordType } from '../record-type.ts'
import { optional, reference, selectObject, stored, storedElsewhere } from '../storage.ts'
import { amount, calendarDate, checkPeriod, currency, instant, invoiceNumber, positiveAmount, quantity, taxRate } from '../values.ts'

const period = { period_start: stored('date', optional(calendarDate)), period_end: stored('date', optional(calendarDate)) }

/** A line of an invoice, a row of `invoice_lines`. Its writer is import/invoices.ts. */
export const invoiceLine = z
  .strictObject({
    description: stored('text', text),
    quantity: stored('int', quantity),
    unit_amount: stored('bigint', amount),
    tax_rate: stored('numeric', optional(taxRate)),
    app_id: stored('"Application"', optional(applicationId), { column: 'application' }),
    ...period,
  })
  .superRefine(checkPeriod)

type Line = z.output<typeof invoiceLine>

const selectLines = (alias: string) => `(SELECT coalesce(json_agg(${selectObject(invoiceLine, 'l')} ORDER BY l.position), '[]')
  FROM invoice_lines l WHERE l.invoice_id = ${alias}.id)`

export const invoiceRecord = recordType({
  schema: z
    .strictObject({
      type: z.literal('invoice'),
      team: reference('team', teamSlug, { isKey: true }),
      number: stored('text', invoiceNumber, { isKey: true }),
      app_id: stored('"Application"', optional(applicationId), { column: 'application' }),
      status: stored('"InvoiceStatus"', z.enum(InvoiceStatus)),
      currency: stored('text', currency),
      tax: stored('bigint', optional(amount), { default: 0 }),
      amount_paid: stored('bigint', optional(positiveAmount), { default: 0 }),
      invoice_date: stored('date', calendarDate),
      due_date: stored('date', optional(calendarDate)),
      paid_at: stored('timestamptz', optional(instant)),
      ...period,
      lines: storedElsewhere(z.array(invoiceLine), selectLines),
    })
    .superRefine(checkPeriod)
    .superRefine(checkAmounts)
    .superRefine(checkTax),
  table: 'invoices',
  orderBy: 't.slug COLLATE "C", e.number COLLATE "C"',
  subject: ['number'],
  computed: { subtotal: { type: 'bigint', value: ({ lines }) => Number(getSubtotal(lines)) } },
})

interface Amounts {
  tax?: number | undefined
  amount_paid?: number | undefined
  lines: readonly Line[]
}

/**
 * Refuses amounts, including computed ones, that JSON cannot represent exactly (2^53 and above). Refuses negative tax except in a credit
 * note, whose lines are negative in sum.
 */
function checkAmounts(record: Amounts, { addIssue }: z.core.$RefinementCtx<Amounts>): void {
  const refuse = (path: (string | number)[], sum: string) =>
    addIssue({ code: 'custom', path, message: `The :attribute field makes the ${sum} larger than can be stored exactly.`, input: record })
  const tooLarge = record.lines.findIndex(({ quantity, unit_amount }) => !Number.isSafeInteger(quantity * unit_amount))
  if (tooLarge !== -1) return refuse(['lines', tooLarge, 'unit_amount'], 'amount of the line')
  const subtotal = getSubtotal(record.lines)
  const tax = record.tax ?? 0
  if (tax < 0 && subtotal >= 0n)
    return addIssue({
      code: 'custom',
      path: ['tax'],
      message: 'The :attribute field must be at least 0 unless the sum of the lines is negative.',
      input: record,
    })
  const total = subtotal + BigInt(tax)
  if (!isSafe(subtotal)) refuse(['lines'], 'subtotal')
  else if (!isSafe(total)) refuse(['tax'], 'total')
  else if (!isSafe(total - BigInt(record.amount_paid ?? 0))) refuse(['amount_paid'], 'amount due')
}

/** Returns the sum of the lines before tax. It is a bigint, because partial sums may exceed the exact range of a number. */
const getSubtotal = (lines: readonly Line[]): bigint =>
  lines.reduce((sum, { quantity, unit_amount }) => sum + BigInt(quantity * unit_amount), 0n)

const isSafe = (value: bigint) => Number.isSafeInteger(Number(value))

/** Refuses tax that differs from that of the rates, and rates of only some lines, because the summary by rate must add up to the tax. */
function checkTax({ tax = 0, lines }: Amounts, { addIssue }: z.core.$RefinementCtx<Amounts>): void {
  const rated = lines.flatMap(({ quantity, unit_amount, tax_rate }) =>
    tax_rate === undefined ? [] : [{ amount: BigInt(quantity * unit_amount), taxRate: tax_rate }],
  )
  if (rated.length === 0) return
  const unrated = lines.findIndex(({ tax_rate }) => tax_rate === undefined)
  const [path, message] =
    unrated === -1
      ? [['tax'], 'The :attribute field must be the tax of the lines at their rates.']
      : [['lines', unrated, 'tax_rate'], 'The :attribute field is required if another line has it.']
  if (unrated !== -1 || !isTaxForLines(rated, tax)) addIssue({ code: 'custom', path, message, input: tax })
}
