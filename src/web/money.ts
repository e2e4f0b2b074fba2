import { decimalPlaces } from '../../schema/invoices/currencies.ts'

const formats = new Map<string, Intl.NumberFormat>()

function getFormat(currency: string, digits: number): Intl.NumberFormat {
  const key = `${currency} ${digits}`
  const cached = formats.get(key)
  if (cached) return cached
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // The cache is limited, because any three letters are a valid currency.
  if (formats.size < 500) formats.set(key, format)
  return format
}

/** Returns minor units as a decimal number in text, exact up to 2^53. */
function decimal(minorUnits: number, currency: string): Intl.StringNumericLiteral {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type describes no exponents, which ECMA-402 allows
  return `${BigInt(Math.round(minorUnits))}E-${decimalPlaces(currency)}` as Intl.StringNumericLiteral
}

/** Returns an amount as a plain decimal number for other programs: `-1234.50`. */
export function formatDecimal(minorUnits: number, currency: string): string {
  const digits = decimalPlaces(currency)
  const text = Math.abs(minorUnits)
    .toString()
    .padStart(digits + 1, '0')
  const sign = minorUnits < 0 ? '-' : ''
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Formats an amount: `€1,234.50`, `¥1,235`, `KWD 1.234`. The currency is a lower-case code. */
export const formatMoney = (minorUnits: number, currency: string): string =>
  getFormat(currency, decimalPlaces(currency)).format(decimal(minorUnits, currency))

/** Formats an amount without decimal places: `€1,235`. */
export const formatRoundMoney = (minorUnits: number, currency: string): string =>
  getFormat(currency, 0).format(decimal(minorUnits, currency))
