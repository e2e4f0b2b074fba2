import type pg from 'pg'
import type { RowMessage } from './row-message.ts'

/** Builds a row from the message of PostgreSQL. */
export type BuildRow<Row> = (message: RowMessage) => Row

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

/** Types whose texts are ASCII: those of numbers, booleans, dates (1082), instants and UUIDs (2950). */
const asciiTypes = new Set([16, 20, 21, 23, 701, 1082, 1184, 2950])

/**
 * Returns a function that builds rows of these columns. It is generated, because an object literal is built several times faster than an
 * object whose columns are set in a loop. It decodes the whole row as Latin-1, of which the texts of ASCII types are parts, and only the
 * other columns by a call for each. The names come from the text of a statement, never from a request.
 *
 * The content of the message is the number of columns in two bytes and, for each column, its length in four bytes, which is -1 for NULL,
 * and its text.
 */
export function compileRow<Row>(fields: readonly Pick<pg.FieldDef, 'name' | 'dataTypeID'>[]): BuildRow<Row> {
  const columns = fields.map(({ dataTypeID }, index) => {
    const text = asciiTypes.has(dataTypeID) ? 'row.slice(at - start, at - start + length)' : 'bytes.utf8Slice(at, at + length)'
    const value = parsers.has(dataTypeID) ? `parsers.get(${dataTypeID})(${text})` : text
    return `
      length = bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3]
      at += 4
      let column${index} = null
      if (length >= 0) {
        column${index} = ${value}
        at += length
      }`
  })
  const members = fields.map(({ name }, index) => `${JSON.stringify(name)}: column${index}`)
  // oxlint-disable-next-line typescript/no-implied-eval -- the text consists of column names and numbers
  return new Function(
    'parsers',
    `return ({ bytes, start, end }) => {
      const row = bytes.latin1Slice(start, end)
      let at = start + 2
      let length
      ${columns.join('')}
      return { ${members.join(', ')} }
    }`,
  )(parsers)
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
