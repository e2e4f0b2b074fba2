import type pg from 'pg'

/**
 * A hot statement, prepared under its name on every connection. `Row` is what the text selects; instants and
 * calendar dates arrive as the RFC 3339 text they leave as, 64-bit integers as numbers (money stays below 2^53,
 * which the database checks). For what Prisma's query builder cannot say in one statement, or says too slowly.
 */
export function statement<Row extends object, const Values extends readonly unknown[]>(name: string, text: string) {
  return async (pool: pg.Pool, ...values: Values): Promise<Row[]> => {
    const result = await pool.query<Row>({ name, text, values: values as unknown as unknown[], types: wireTypes })
    return result.rows
  }
}

/** How the columns of hot statements are read: text in, text out, without a Date between. */
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
const wireTypes = { getTypeParser: (oid: number) => parsers.get(oid) ?? asText }

/**
 * PostgreSQL's text of an instant, in a session in UTC, as it leaves: `2026-01-31 09:30:00.5+00` and JSON's
 * `2026-01-31T09:30:00.5+00:00` → `2026-01-31T09:30:00.500Z`.
 */
export function rfc3339(text: string): string {
  const end = text.lastIndexOf('+')
  const fraction = end > 19 ? text.slice(20, end) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}
