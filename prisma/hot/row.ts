import type pg from 'pg'

/** Builds a row from the texts of its columns. */
export type BuildRow<Row> = (columns: (string | null)[]) => Row

/** Parsers of column values by type. Dates and instants stay text, without a Date object in between. */
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

/**
 * Returns a function that builds rows of these columns. It is generated, because an object literal is built several times faster
 * than an object whose columns are set in a loop. The names come from the text of a statement, never from a request.
 */
export function compileRow<Row>(fields: readonly Pick<pg.FieldDef, 'name' | 'dataTypeID'>[]): BuildRow<Row> {
  const members = fields.map(({ name, dataTypeID }, index) => {
    const column = `columns[${index}]`
    const value = parsers.has(dataTypeID) ? `${column} === null ? null : parsers.get(${dataTypeID})(${column})` : column
    return `${JSON.stringify(name)}: ${value}`
  })
  // oxlint-disable-next-line typescript/no-implied-eval -- the text consists of column names and numbers
  return new Function('parsers', `return (columns) => ({ ${members.join(', ')} })`)(parsers)
}

/**
 * Converts PostgreSQL's text of an instant, in a session in UTC, to that of responses: `2026-01-31 09:30:00.5+00` and, in JSON,
 * `2026-01-31T09:30:00.5+00:00` become `2026-01-31T09:30:00.500Z`.
 */
export function rfc3339(text: string): string {
  const end = text.lastIndexOf('+')
  const fraction = end > 19 ? text.slice(20, end) : ''
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.padEnd(3, '0')}Z`
}
