import { setImmediate } from 'node:timers/promises'

const byteOrderMark = '\u{feff}'
/** Number of rows that are written in one turn of the event loop. */
const rowsInTurn = 500

type Row = readonly (string | null)[]

/**
 * Creates a CSV file (RFC 4180) from the column names and a row for each item. It works in turns, so that the process serves other requests
 * meanwhile. The file starts with a byte order mark, because without one Excel reads it in the code page of the machine and garbles letters
 * outside ASCII.
 *
 * Spreadsheets run a cell that starts like a formula, even if it is quoted. Such a text gets an apostrophe, which marks it as text (OWASP,
 * CSV injection). A negative number is not a formula.
 */
export async function csvFile<Item>(names: readonly string[], items: readonly Item[], toRow: (item: Item) => Row) {
  const parts = [byteOrderMark + formatLine(names)]
  for (let start = 0; start < items.length; start += rowsInTurn) {
    const rows = items.slice(start, start + rowsInTurn).map(toRow)
    parts.push(rows.map(formatLine).join(''))
    await setImmediate()
  }
  return { type: 'text/csv; charset=utf-8; header=present', body: Buffer.from(parts.join('')) }
}

const formatLine = (row: Row) => `${row.map((value) => quote(harmless(value ?? ''))).join(',')}\r\n`

const harmless = (value: string) => (/^[=+\-@\t\r\n]/.test(value) && !/^-\d+(?:\.\d+)?$/.test(value) ? `'${value}` : value)

const quote = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
