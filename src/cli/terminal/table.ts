import { fitColumns, rowLines } from './layout.ts'
import { printable } from './output.ts'
import { style } from './style.ts'
import type { Format } from './style.ts'
import { currentTerminal } from './terminal.ts'

/** Colours in a column with the heading `state`. */
const stateFormats: Partial<Record<string, Format>> = {
  ok: 'green',
  applied: 'green',
  sent: 'green',
  current: 'green',
  enabled: 'green',
  delivered: 'green',
  repaired: 'yellow',
  pending: 'yellow',
  skipped: 'yellow',
  disabled: 'yellow',
  wrong: 'red',
  failed: 'red',
  failing: 'red',
}

/**
 * Formats rows in columns under their headings, the most useful ones first; `None.` without rows. On a terminal the rows fit its width: cells
 * have several lines, and columns for which there is no space are named below. Elsewhere each row is one line with all columns.
 */
export function table(headings: readonly string[], rows: readonly (readonly (string | Date | null)[])[]): string {
  if (rows.length === 0) return 'None.'
  const { stdout } = currentTerminal()
  const cells = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(cell))]
  const widths = fitColumns(cells, (stdout.isTTY && stdout.columns) || Number.POSITIVE_INFINITY)
  const states = headings.indexOf('state')
  const formatOf = (row: number, text: string, column: number): string => {
    const format = row === 0 ? 'bold' : column === states ? stateFormats[text] : undefined
    return format === undefined ? text : style(stdout, format, text)
  }
  const lines = cells.flatMap((row, index) => rowLines(row, widths, (text, column) => formatOf(index, text, column)))
  const missing = headings.slice(widths.length)
  if (missing.length > 0) lines.push('', style(stdout, 'dim', `Too wide for this terminal: ${missing.join(', ')}. Also in --json.`))
  return lines.join('\n')
}

function cell(value: string | Date | null): string {
  if (value === null) return '–'
  return printable(value instanceof Date ? value.toISOString() : value)
}
