import { GraphQLError } from 'graphql'
import { builder } from './builder.ts'

// Resolvers give an instant as Prisma reads it or as the text a hot statement reads.

builder.scalarType('DateTime', {
  description: 'An instant: RFC 3339 in UTC with milliseconds, `2026-01-31T09:30:00.000Z`.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : value),
  parseValue: (value) => {
    const instant = typeof value === 'string' && instantPattern.test(value) ? new Date(value) : null
    if (!instant || Number.isNaN(instant.getTime())) throw new GraphQLError('DateTime must be an RFC 3339 instant with an offset.')
    return instant
  },
})
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

builder.scalarType('Date', {
  description: 'A calendar date, `YYYY-MM-DD`.',
  serialize: (value) => value,
})

builder.scalarType('MinorUnits', {
  description: 'An amount of money: an integer in minor units of its currency.',
  serialize: (value) => value,
})
