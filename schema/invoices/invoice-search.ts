import { anyContains, searchPattern } from '../builder/search.ts'
import { allProducts, products } from '../core/products.ts'
import { refused } from '../core/validation.ts'
import type { Placeholders } from '../lists/declaration.ts'
import { decimalPlacesSql, maxPlaces } from './currencies.ts'

/** The parsed text of a search. It matches invoices by text, and by amount if the text is one. */
export interface InvoiceSearch {
  /** Pattern for the number or the product. */
  pattern: string
  /** Bounds of the amount in minor units, by the decimal places of its currency; null if the text is not an amount. */
  lowest: readonly string[] | null
  highest: readonly string[] | null
}

export function invoiceSearch(input: string | null | undefined): InvoiceSearch | null {
  const pattern = searchPattern(input)
  return pattern === null ? null : { pattern, ...amountBounds(input ?? '') }
}

const inEnglish = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,4}))?$/
const onTheContinent = /^(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2})$/
const maxDigits = 15

/**
 * Reads an amount as people copy it from a page or a bank statement: `1234.5`, `€1,234.50`, `1.234,50 EUR`. Missing decimal places match
 * any digits, so that 1234 matches 1,234.50. The sign is ignored, because users often search for a credit without it.
 */
export function amountBounds(text: string): Pick<InvoiceSearch, 'lowest' | 'highest'> {
  const digits = text
    .replaceAll(/[\s'\u2019\p{Sc}]/gu, '')
    .replaceAll(/^[a-z]{3}|[a-z]{3}$/gi, '')
    .replace(/^[-\u2212]/, '')
  const [, grouped, fraction = ''] = inEnglish.exec(digits) ?? onTheContinent.exec(digits) ?? []
  const whole = grouped?.replaceAll(/[,.]/g, '')
  if (whole === undefined || whole.length > maxDigits) return { lowest: null, highest: null }
  const bounds = Array.from({ length: maxPlaces + 1 }, (_, places) => {
    const cut = fraction.slice(0, places)
    // No amount of the currency is between these bounds, such as 0.5 yen.
    if (/[1-9]/.test(fraction.slice(places))) return ['1', '0'] as const
    return [whole + cut.padEnd(places, '0'), whole + cut.padEnd(places, '9')] as const
  })
  return { lowest: bounds.map(([lowest]) => lowest), highest: bounds.map(([, highest]) => highest) }
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
/** SQL for the name of the product of the invoice `r`, as pages show it. */
const productName = `CASE r.application ${Object.entries(products)
  .map(([id, { name }]) => `WHEN '${id}' THEN ${quoted(name)}`)
  .join(' ')} ELSE ${quoted(allProducts)} END`

/** Builds the SQL condition that a search matches the invoice `r`. */
export function isFound({ part }: Pick<Placeholders, 'part'>): string {
  // Arrays of PostgreSQL start at 1.
  const bound = (name: string) => `(${part(name)}::numeric[])[${decimalPlacesSql('r.currency')} + 1]`
  const [lowest, highest] = [bound('lowest'), bound('highest')]
  const isAmount = (amount: string) => `abs(${amount}) BETWEEN ${lowest} AND ${highest}`
  return `(${anyContains(['r.number', productName], part('pattern'))}
    OR ${isAmount('r.subtotal + r.tax')} OR ${isAmount('r.subtotal + r.tax - r.amount_paid')})`
}

/** Throws `validation_failed` if the last date, the argument `name`, is before the first. Dates in this form compare as text. */
export function requireRange(since: string | null | undefined, until: string | null | undefined, name = 'until'): void {
  if (since && until && until < since) throw refused({ [name]: [`The :attribute field must be a date after or equal to ${since}.`] })
}

/** Returns the first day of the month eleven months before a date, so that the range has twelve months; the earliest date if none. */
export function elevenMonthsBefore(date: string): string {
  const [year = 0, month = 0] = date.split('-').map(Number)
  const months = year * 12 + month - 12
  if (months < 12) return '0001-01-01'
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`
}
