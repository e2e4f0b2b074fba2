// Decimal places of currencies that do not have two (ISO 4217). Intl uses the places common for cash instead: it omits the
// minor units of forint, kip or Iraqi dinar, and amounts would appear a hundred or a thousand times too high.
const currenciesByPlaces = {
  0: 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'.split(' '),
  3: 'bhd iqd jod kwd lyd omr tnd'.split(' '),
  4: 'clf uyw'.split(' '),
}
const defaultPlaces = 2
export const maxPlaces = 4

const places = new Map(
  Object.entries(currenciesByPlaces).flatMap(([count, currencies]) => currencies.map((currency) => [currency, Number(count)])),
)

/** Returns the number of decimal places in the amounts of a currency. */
export const decimalPlaces = (currency: string): number => places.get(currency) ?? defaultPlaces

/** Builds SQL for the decimal places of the currency in a column. */
export const decimalPlacesSql = (column: string): string => {
  const cases = Object.entries(currenciesByPlaces).map(
    ([count, currencies]) => `WHEN ${column} IN (${currencies.map((currency) => `'${currency}'`).join(', ')}) THEN ${count}`,
  )
  return `CASE ${cases.join(' ')} ELSE ${defaultPlaces} END`
}
