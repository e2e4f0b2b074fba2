import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMoney, formatRoundMoney } from '../../../src/web/money.ts'

const plain = (text: string) => text.replaceAll('\u00A0', ' ')

// These include currencies for which Intl has other decimal places than ISO 4217.
test.each([
  ['eur', 123_456, '€1,234.56'],
  ['eur', -5, '-€0.05'],
  ['jpy', 1234, '¥1,234'],
  ['kwd', 1_234, 'KWD 1.234'],
  ['iqd', 1_234_567, 'IQD 1,234.567'],
  ['huf', 1_234_500, 'HUF 12,345.00'],
  ['lak', 100, 'LAK 1.00'],
  ['clf', 12_345, 'CLF 1.2345'],
  ['zzz', 100, 'ZZZ 1.00'],
  ['eur', Number.MAX_SAFE_INTEGER, '€90,071,992,547,409.91'],
])('in %s, %i minor units are formatted as %s', (currency, minorUnits, text) => {
  expect(plain(formatMoney(minorUnits, currency))).toBe(text)
})

test('a formatted amount keeps every digit', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.constantFrom('eur', 'jpy', 'kwd', 'clf'), (minorUnits, currency) => {
      const digits = formatMoney(minorUnits, currency).replace(/\D/g, '')
      expect(BigInt(digits)).toBe(BigInt(Math.abs(minorUnits)))
    }),
  )
})

test('a round amount has no decimal places', () => {
  const amounts = [1234, 123_456_789, 0].map((minorUnits) => plain(formatRoundMoney(minorUnits, 'kwd')))
  expect(amounts).toEqual(['KWD 1', 'KWD 123,457', 'KWD 0'])
})
