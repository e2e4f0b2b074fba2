/** The values from which the tax of an invoice is computed. Amounts are in minor units, rates in percent. */
interface TaxedLine {
  amount: number
  taxRate: number | null
}

/** The tax of the lines with one rate. */
export interface InvoiceTax {
  /** Rate in percent; null for an invoice whose lines have no rates. */
  rate: number | null
  /** The sum of these lines before tax. */
  net: number
  tax: number
}

/** Rates have at most three decimal places, such as 8.875 % in New York. */
const thousandths = (rate: number) => BigInt(Math.round(rate * 1000))
const perUnit = 100_000n

const magnitude = (value: bigint) => (value < 0n ? -value : value)

/** Rounds half a minor unit away from zero, as invoices do. */
function rounded(scaled: bigint): number {
  const units = (magnitude(scaled) + perUnit / 2n) / perUnit
  return Number(scaled < 0n ? -units : units)
}

const sumValues = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n)

/**
 * Returns the tax of an invoice by rate, the highest rate first. The sum is exactly the tax of the invoice: if the issuer rounds each line,
 * the difference belongs to the rate with the most tax. Without rates, it is one amount.
 */
export function calculateTaxes(lines: readonly TaxedLine[], { subtotal, tax }: { subtotal: number; tax: number }): InvoiceTax[] {
  const rated = lines.flatMap(({ amount, taxRate }) => (taxRate === null ? [] : [{ amount: BigInt(amount), taxRate }]))
  if (rated.length === 0 || rated.length < lines.length) return [{ rate: null, net: subtotal, tax }]
  const taxes = Array.from(Map.groupBy(rated, ({ taxRate }) => taxRate))
    .toSorted(([one], [other]) => other - one)
    .map(([rate, ofRate]) => {
      const net = sumValues(ofRate.map(({ amount }) => amount))
      return { rate, net: Number(net), tax: rounded(net * thousandths(rate)) }
    })
  const largest = taxes.reduce((one, other) => (Math.abs(other.tax) > Math.abs(one.tax) ? other : one))
  largest.tax += tax - taxes.reduce((sum, each) => sum + each.tax, 0)
  return taxes
}

/** Returns true if an amount is the tax of lines with these rates, rounded per line or once: at most one minor unit a line differs. */
export function isTaxForLines(lines: readonly { amount: bigint; taxRate: number }[], tax: number): boolean {
  const scaled = sumValues(lines.map(({ amount, taxRate }) => amount * thousandths(taxRate)))
  return magnitude(BigInt(tax) * perUnit - scaled) <= BigInt(lines.length) * perUnit
}
