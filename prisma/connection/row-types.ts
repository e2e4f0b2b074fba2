import type pg from 'pg'

/**
 * JavaScript forms of PostgreSQL's types in the rows of statements; types that are not listed stay text. Instants and dates are text in the
 * form of responses, without a Date object in between, and 64-bit integers are numbers.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'], // boolean
  [20, Number], // bigint
  [21, Number], // smallint
  [23, Number], // integer
  [701, Number], // double precision
  [114, (text) => JSON.parse(text) as unknown], // json
  [3802, (text) => JSON.parse(text) as unknown], // jsonb
  [1184, rfc3339], // timestamptz
])
const asText = (text: string) => text

/** The `types` of a query of pg. */
export const rowTypes: pg.CustomTypesConfig = { getTypeParser: (type: number) => parsers.get(type) ?? asText }

/**
 * Converts PostgreSQL's text of an instant, in a session in UTC, to that of responses: `2026-01-31 09:30:00.5+00` and, in JSON,
 * `2026-01-31T09:30:00.5+00:00` become `2026-01-31T09:30:00.500Z`.
 */
export function rfc3339(text: string): string {
  const end = text.lastIndexOf('+')
  const fraction = end > 19 ? text.slice(20, end) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}
