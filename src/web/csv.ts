import { setImmediate } from 'node:timers/promises'

const byteOrderMark = '\u{feff}'
/** Rows that are written in one turn of the event loop. */
const rowsInTurn = 500

type Row = readonly (string | null)[]

/**
 * Makes a CSV file (RFC 4180) of the names of the columns and of a row for each item, in turns: the process serves other requests between
 * them. It starts with a byte order mark: without one, Excel reads a file
 * as one in the code page of the machine, and every letter outside of ASCII is wrong.
 *
 * Spreadsheets run a cell that starts like a formula, even if it is quoted. A text that does gets an apostrophe, which they take as
 * the mark of a text (OWASP, CSV injection). A negative number is no formula.
 */
export async function csvFile<Item>(names: readonly string[], items: readonly Item[], toRow: (item: Item) => Row) {
  const parts = [byteOrderMark + lineOf(names)]
  for (let start = 0; start < items.length; start += rowsInTurn) {
    const rows = items.slice(start, start + rowsInTurn).map(toRow)
    parts.push(rows.map(lineOf).join(''))
    await setImmediate()
  }
  return { type: 'text/csv; charset=utf-8; header=present', body: Buffer.from(parts.join('')) }
}

const lineOf = (row: Row) => `${row.map((value) => quote(harmless(value ?? ''))).join(',')}\r\n`

const harmless = (value: string) => (/^[=+\-@\t\r\n]/.test(value) && !/^-\d+(?:\.\d+)?$/.test(value) ? `'${value}` : value)

const quote = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
