import { expect, test } from 'vitest'
import { amountBounds } from '../../../schema/invoices/invoice-search.ts'

/** The bounds for a currency with this number of decimal places. */
const boundsOf = (text: string, places: number) => {
  const { lowest, highest } = amountBounds(text)
  return lowest && highest ? [lowest[places], highest[places]] : null
}

test.each([
  ['1234.50', ['123450', '123450']],
  ['1234.5', ['123450', '123459']],
  ['1234', ['123400', '123499']],
  ['€1,234.50', ['123450', '123450']],
  ['$ 1,234', ['123400', '123499']],
  ['1.234,50 €', ['123450', '123450']],
  ['1234,5', ['123450', '123459']],
  ['EUR 1\u00A0234.50', ['123450', '123450']],
  ["1'234.50 chf", ['123450', '123450']],
  ['-12.00', ['1200', '1200']],
  ['\u22121,234.50', ['123450', '123450']],
  ['0', ['000', '099']],
  ['12.345', ['1', '0']],
  ['12.340', ['1234', '1234']],
  ['1,23,4', null],
  ['12.34.56', null],
  ['ACME-0001', null],
  ['2026-01', null],
  ['', null],
  ['.', null],
  ['1'.repeat(16), null],
  ['9'.repeat(15), [`${'9'.repeat(15)}00`, '9'.repeat(17)]],
])('the search text %j is an amount of a currency with two decimal places in %j', (text, bounds) => {
  expect(boundsOf(text, 2)).toEqual(bounds)
})

test.each([
  ['1,235', 0, ['1235', '1235']],
  ['1235.00', 0, ['1235', '1235']],
  ['1235.5', 0, ['1', '0']],
  ['1.234', 3, ['1234', '1234']],
  ['1.2', 3, ['1200', '1299']],
])('the search text %j has the bounds of a currency with %d decimal places', (text, places, bounds) => {
  expect(boundsOf(text, places)).toEqual(bounds)
})
