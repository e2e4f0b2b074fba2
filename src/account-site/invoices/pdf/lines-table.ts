import { setImmediate } from 'node:timers/promises'
import { listColumns, formatLineDetails } from '../content.ts'
import type { PrintedInvoice, PrintedLine } from '../content.ts'
import { formatMoney } from '../../../web/money.ts'
import { lineHeight } from './sheet.ts'
import type { Sheets } from './sheet.ts'
import type { Style } from './typesetter.ts'

const gap = 12
const rowGap = 4
const titleStyle: Style = { font: 'bold' }
const detailStyle: Style = { size: 8, color: '#565e6c' }
const carryStyle: Style = { color: '#565e6c' }
const titlesHeight = lineHeight() + 7
const carryHeight = lineHeight() + rowGap

/** Maximum height of a row that is not split across pages. */
const maxKept = 200
/** Number of lines of a higher row that stay with the part after the table. */
const linesWithTotals = 3

/**
 * Writes the lines of an invoice. Every page repeats the column titles and the carried-forward sum, and a row stays on one page if it fits.
 * The last row is on the page with the part after the table, because totals alone on a page are useless.
 */
export async function linesTable(sheets: Sheets, invoice: Pick<PrintedInvoice, 'lines' | 'currency'>, heightAfter: number): Promise<void> {
  const { lines, currency } = invoice
  const columns = listColumns(invoice)
  // Each column is as wide as its content. The description gets the remaining width.
  const widths = columns.map(({ title, text }) =>
    Math.max(sheets.measure(title, titleStyle), ...lines.map((line) => sheets.measure(text(line)))),
  )
  const descriptionWidth = sheets.width - widths.reduce((sum, width) => sum + width + gap, 0)
  // A bigint, because partial sums may exceed what a number represents exactly.
  let sum: bigint | null = null

  const writeCells = (cells: readonly string[], style: Style) => {
    let x = descriptionWidth
    cells.forEach((text, index) => {
      const width = widths[index] ?? 0
      sheets.put(text, x + gap, width, { ...style, align: 'right' })
      x += gap + width
    })
  }
  const writeTitles = () => {
    sheets.put('Description', 0, descriptionWidth, titleStyle)
    writeCells(
      columns.map(({ title }) => title),
      titleStyle,
    )
    sheets.y += lineHeight() + 2
    sheets.rule()
    sheets.y += 5
  }
  const writeCarry = (label: string) => {
    if (sum === null) return
    sheets.put(label, 0, descriptionWidth, carryStyle)
    sheets.put(formatMoney(Number(sum), currency), 0, sheets.width, { ...carryStyle, align: 'right' })
    sheets.y += carryHeight
  }
  /** Reserves space for the sum at the end of the page, or for other content that must be on it. */
  const ensure = (height: number, after = carryHeight) => {
    if (sheets.fits(height + after)) return
    writeCarry('Carried forward')
    sheets.startPage()
    writeTitles()
    writeCarry('Brought forward')
  }

  sheets.ensure(titlesHeight + 3 * lineHeight() + carryHeight)
  writeTitles()
  for (const [index, line] of lines.entries()) {
    // 50 lines take about 10 ms, so other requests run in between.
    if (index % 50 === 49) await setImmediate()
    const texts = listTexts(line, sheets, descriptionWidth)
    const heightFrom = (start: number) => texts.slice(start).reduce((total, { style }) => total + lineHeight(style), 0)
    const after = index === lines.length - 1 ? rowGap + heightAfter : carryHeight
    ensure(Math.min(heightFrom(0), maxKept), after)
    writeCells(
      columns.map(({ text }) => text(line)),
      {},
    )
    sum = (sum ?? 0n) + BigInt(line.amount)
    for (const [part, { text, style }] of texts.entries()) {
      if (part > 0 && part === texts.length - linesWithTotals) ensure(heightFrom(part), after)
      else if (part > 0) ensure(lineHeight(style))
      sheets.put(text, 0, descriptionWidth, style)
      sheets.y += lineHeight(style)
    }
    sheets.y += rowGap
  }
  sheets.rule()
}

function listTexts(line: PrintedLine, sheets: Sheets, width: number): { text: string; style: Style }[] {
  const details = formatLineDetails(line)
  return [
    ...sheets.lines(line.description, width).map((text) => ({ text, style: {} })),
    ...(details ? sheets.lines(details, width, detailStyle).map((text) => ({ text, style: detailStyle })) : []),
  ]
}
