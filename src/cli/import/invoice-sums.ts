interface Amounts {
  quantity: number
  unit_amount: number
}
interface Sums {
  tax?: number | undefined
  amount_paid?: number | undefined
  lines: readonly Amounts[]
}
interface Period {
  period_start?: string | null | undefined
  period_end?: string | null | undefined
}
interface Refinement {
  addIssue(issue: { code: 'custom'; path: (string | number)[]; message: string; input: unknown }): void
}

/** Dates compare as text. */
export function checkPeriod({ period_start: start, period_end: end }: Period, { addIssue }: Refinement): void {
  if (start && end && end < start)
    addIssue({ code: 'custom', path: ['period_end'], message: 'The :attribute field must not be before the period start.', input: end })
}

/** Every amount, those computed on the way out too, must be one that JSON carries exactly (below 2^53). */
export function checkInvoice(invoice: Sums, { addIssue }: Refinement): void {
  const refuse = (path: (string | number)[], what: string) =>
    addIssue({ code: 'custom', path, message: `The :attribute field makes the ${what} larger than can be stored exactly.`, input: invoice })
  const tooLarge = invoice.lines.findIndex(({ quantity, unit_amount }) => !Number.isSafeInteger(quantity * unit_amount))
  if (tooLarge !== -1) return refuse(['lines', tooLarge, 'unit_amount'], 'amount of the line')
  const sum = subtotal(invoice.lines)
  const total = sum + BigInt(invoice.tax ?? 0)
  if (!isSafe(sum)) refuse(['lines'], 'subtotal')
  else if (!isSafe(total)) refuse(['tax'], 'total')
  else if (!isSafe(total - BigInt(invoice.amount_paid ?? 0))) refuse(['amount_paid'], 'amount due')
}

/** Sum of the lines before tax; each line's amount is exact, partial sums may be larger than a number holds. */
export const subtotal = (lines: readonly Amounts[]): bigint =>
  lines.reduce((sum, { quantity, unit_amount }) => sum + BigInt(quantity * unit_amount), 0n)

const isSafe = (value: bigint) => Number.isSafeInteger(Number(value))
