import fc from 'fast-check'
import { Application } from '../../../../prisma/generated/client/enums.ts'

// Arbitrary values of members of import records.

const difficult = fc.constantFrom(
  '"',
  '\\',
  '\u2028',
  "'; DROP TABLE users; --",
  '😀',
  'ﷺ',
  '\t',
  '{',
  '\u001b[2J',
  'Ünïcödé',
  'null',
  '\ud83d\udc69\u200d\ud83d\udcbb',
)
export const text = fc
  .array(fc.oneof(difficult, fc.string({ unit: 'grapheme', maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 5 })
  .map((parts) => parts.join('').replaceAll('\0', '').toWellFormed())
/** Names of users and teams, which show something on one line. */
export const name = text.map((value) =>
  `x${value
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .slice(0, 200)
    .toWellFormed()}`.trim(),
)
export const instant = fc
  .date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
export const application = fc.constantFrom(...Object.values(Application))
export const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
export const nullable = <T>(value: fc.Arbitrary<T>) => fc.oneof(optional(value), fc.constant(null))
