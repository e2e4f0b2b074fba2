const byteOrderMark = '\u{feff}'

/**
 * Makes a CSV file (RFC 4180). The first row has the names of the columns. It starts with a byte order mark: without one, Excel reads a file
 * as one in the code page of the machine, and every letter outside of ASCII is wrong.
 *
 * Spreadsheets run a cell that starts like a formula, even if it is quoted. A text that does gets an apostrophe, which they take as
 * the mark of a text (OWASP, CSV injection). A negative number is no formula.
 */
export const csvFile = (rows: readonly (readonly (string | null)[])[]) => ({
  type: 'text/csv; charset=utf-8; header=present',
  body: Buffer.from(byteOrderMark + rows.map((row) => `${row.map((value) => quote(harmless(value ?? ''))).join(',')}\r\n`).join('')),
})

const harmless = (value: string) => (/^[=+\-@\t\r\n]/.test(value) && !/^-\d+(?:\.\d+)?$/.test(value) ? `'${value}` : value)

const quote = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
