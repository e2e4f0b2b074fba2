import { fitColumns, rowLines, wrap } from './layout.ts'
import { printable } from './output.ts'
import { style, currentTerminal } from './terminal.ts'
import type { Format } from './terminal.ts'

/** Colours in a column with the heading `state`. */
const stateFormats: Partial<Record<string, Format>> = {
  ok: 'green',
  applied: 'green',
  sent: 'green',
  current: 'green',
  enabled: 'green',
  active: 'green',
  delivered: 'green',
  repaired: 'yellow',
  pending: 'yellow',
  skipped: 'yellow',
  warning: 'yellow',
  disabled: 'yellow',
  expired: 'yellow',
  revoked: 'yellow',
  wrong: 'red',
  failed: 'red',
  failing: 'red',
}

/** Columns whose values are arguments of other commands. They are printed in one piece, so that they can be copied, or omitted. */
const keys = new Set(['id', 'client id', 'kid', 'slug', 'email', 'migration'])

/**
 * Formats rows in columns under their headings, the most useful ones first; `None.` without rows. On a terminal the rows fit its width:
 * cells have several lines, and columns without space are listed below. Elsewhere each row is one line with all columns.
 */
export function table(headings: readonly string[], rows: readonly (readonly (string | Date | null)[])[]): string {
  if (rows.length === 0) return 'None.'
  const { stdout } = currentTerminal()
  const width = stdout.isTTY && stdout.columns ? stdout.columns : undefined
  const cells = [
    headings.map((heading) => heading.toUpperCase()),
    ...rows.map((row) => row.map((value) => cell(value, width !== undefined))),
  ]
  const columns = fitColumns(cells, width ?? Number.POSITIVE_INFINITY, (index) => keys.has(headings[index] ?? ''))
  const states = headings.indexOf('state')
  const getFormat = (row: number, text: string, column: number): string => {
    const format = row === 0 ? 'bold' : column === states ? stateFormats[text] : undefined
    return format === undefined ? text : style(stdout, format, text)
  }
  const lines = cells.flatMap((row, index) => rowLines(row, columns, (text, column) => getFormat(index, text, column)))
  const missing = headings.filter((_, index) => columns.every((column) => column.index !== index))
  if (width !== undefined && missing.length > 0) {
    const note = `Too wide for this terminal: ${missing.join(', ')}. Shown with --json, and in a pipe or a file.`
    lines.push('', ...wrap(note, width).map((line) => style(stdout, 'dim', line)))
  }
  return lines.join('\n')
}

const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/

/** Formats a cell. On a terminal, a time is `2026-01-31 09:30:00Z`, so that it can have two lines; GraphQL returns times as text. */
function cell(value: string | Date | null, isForTerminal: boolean): string {
  if (value === null) return '–'
  const text = printable(value instanceof Date ? value.toISOString() : value)
  return isForTerminal ? text.replace(instant, '$1 $2Z') : text
}

/** Formats a member of an object as table rows: one per item of a list, and `outer.inner` for a nested object. */
export function memberRows(name: string, value: unknown): [string, string | Date | null][] {
  if (value === null || value instanceof Date) return [[name, value]]
  if (Array.isArray(value)) return value.length === 0 ? [[name, null]] : value.flatMap((item: unknown) => memberRows(name, item))
  if (typeof value === 'object') return Object.entries(value).flatMap(([inner, item]) => memberRows(`${name}.${inner}`, item))
  return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
}
