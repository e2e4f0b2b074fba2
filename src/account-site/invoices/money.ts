// Decimals of the currencies that have not two (ISO 4217). Intl follows the customs of cash instead: it would show a
// forint, a kip or an Iraqi dinar without its minor units, and amounts a hundred or a thousand times too high.
const decimals: Record<string, number> = {}
for (const code of 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'.split(' ')) decimals[code] = 0
for (const code of 'bhd iqd jod kwd lyd omr tnd'.split(' ')) decimals[code] = 3
for (const code of 'clf uyw'.split(' ')) decimals[code] = 4

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, notation: 'standard' | 'compact'): Intl.NumberFormat {
  const key = `${currency} ${notation}`
  const known = formats.get(key)
  if (known) return known
  const digits = decimals[currency] ?? 2
  const fractions =
    notation === 'standard' ? { minimumFractionDigits: digits, maximumFractionDigits: digits } : { maximumSignificantDigits: 3 }
  const made = new Intl.NumberFormat('en', { style: 'currency', currency, notation, ...fractions })
  // Anyone may write any three letters: what is kept is bounded.
  if (formats.size < 500) formats.set(key, made)
  return made
}

/** Minor units as a decimal number in text, exact to the last of 2^53. */
function decimal(minorUnits: number, currency: string): Intl.StringNumericLiteral {
  return `${BigInt(Math.round(minorUnits))}E-${decimals[currency] ?? 2}` as Intl.StringNumericLiteral
}

/** An amount for people: `€1,234.50`, `¥1,235`, `KWD 1.234`; the currency in lower case. */
export const formatMoney = (minorUnits: number, currency: string): string =>
  formatOf(currency, 'standard').format(decimal(minorUnits, currency))

/** An amount at a glance: `€1.23K`. */
export const roughMoney = (minorUnits: number, currency: string): string =>
  formatOf(currency, 'compact').format(decimal(minorUnits, currency))
