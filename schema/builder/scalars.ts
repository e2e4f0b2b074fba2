import { GraphQLError, valueFromASTUntyped } from 'graphql'
import type { ValueNode } from 'graphql'
import { builder } from './builder.ts'

/** Returns functions that parse values and literals in the same way. The error for a literal has its location. */
const parsedBy = <T>(parseValue: (value: unknown) => T) => ({
  parseValue,
  parseLiteral(node: ValueNode) {
    try {
      return parseValue(valueFromASTUntyped(node))
    } catch (cause) {
      throw cause instanceof GraphQLError ? new GraphQLError(cause.message, { nodes: node }) : cause
    }
  },
})

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'An instant: RFC 3339 in UTC with milliseconds, `2026-01-31T09:30:00.000Z`.',
  // Prisma returns a Date; statements return text that already has this form.
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  ...parsedBy((value) => {
    const isInstant = typeof value === 'string' && instantPattern.test(value) && isCalendarDay(value.slice(0, 10))
    const instant = isInstant ? new Date(value) : null
    if (!instant || !isStorable(instant)) throw new GraphQLError('DateTime must be an RFC 3339 instant with an offset.')
    return instant
  }),
})
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

/** Returns true for the years 1 to 9999 after the offset is applied. */
const isStorable = (instant: Date) => instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999

/** Returns false for days such as 30 February, which `Date` reads as 2 March. */
const isCalendarDay = (day: string) => new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)

builder.scalarType('Date', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'A calendar date, `YYYY-MM-DD`.',
  serialize: (value) => value,
  ...parsedBy((value) => {
    if (typeof value !== 'string' || !datePattern.test(value) || !isCalendarDay(value))
      throw new GraphQLError('Date must be a calendar date, YYYY-MM-DD.')
    return value
  }),
})
// PostgreSQL has no year 0.
const datePattern = /^(?!0000)\d{4}-\d\d-\d\d$/

builder.scalarType('MinorUnits', {
  specifiedByURL: 'https://www.iso.org/iso-4217-currency-codes.html',
  description: 'An amount of money: an integer in minor units of its currency.',
  serialize: (value) => value,
})

builder.scalarType('JSON', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  description: 'A JSON object. It is only returned.',
  serialize: (value) => value,
})
