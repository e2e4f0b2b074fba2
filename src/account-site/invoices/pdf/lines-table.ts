import { setImmediate } from 'node:timers/promises'
import type { InvoiceQuery } from '../../generated/operations.ts'
import { formatMoney } from '../money.ts'
import { productNames } from '../../labels.ts'
import { formatPeriod } from '../labels.ts'
import { lineHeight } from './sheet.ts'
import type { Sheets } from './sheet.ts'
import type { Style } from './typesetter.ts'

type Invoice = InvoiceQuery['team']['invoice']
type Line = Invoice['lines'][number]

interface Column {
  title: string
  text(line: Line): string
}

const gap = 12
const rowGap = 4
const titleStyle: Style = { font: 'bold' }
const detailStyle: Style = { size: 8, color: '#565e6c' }

/**
 * Writes the lines of an invoice. Every page repeats the column titles, and a row is kept on one page when it fits. The last row is
 * on a page that has room for what follows the table: totals alone on a page say nothing.
 */
export async function linesTable(
  sheets: Sheets,
  { lines, currency }: Pick<Invoice, 'lines' | 'currency'>,
  heightAfter: number,
): Promise<void> {
  const columns: Column[] = [
    { title: 'Quantity', text: ({ quantity }) => quantity.toLocaleString('en') },
    { title: 'Unit price', text: ({ unitAmount }) => formatMoney(unitAmount, currency) },
    { title: 'Amount', text: ({ amount }) => formatMoney(amount, currency) },
  ]
  // Each column is as wide as its content. The description gets the remaining width.
  const widths = columns.map(({ title, text }) =>
    Math.max(sheets.measure(title, titleStyle), ...lines.map((line) => sheets.measure(text(line)))),
  )
  const descriptionWidth = sheets.width - widths.reduce((sum, width) => sum + width + gap, 0)

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

  const titlesHeight = lineHeight() + 7
  sheets.ensure(titlesHeight + 3 * lineHeight())
  writeTitles()
  for (const [index, line] of lines.entries()) {
    // 50 lines take about 10 ms. Let other requests run in between.
    if (index % 50 === 49) await setImmediate()
    const details = [line.appId && productNames[line.appId], formatPeriod(line)].filter(Boolean).join(' · ')
    const texts: { text: string; style: Style }[] = [
      ...sheets.lines(line.description, descriptionWidth).map((text) => ({ text, style: {} })),
      ...(details ? sheets.lines(details, descriptionWidth, detailStyle).map((text) => ({ text, style: detailStyle })) : []),
    ]
    const height = texts.reduce((sum, { style }) => sum + lineHeight(style), 0)
    const isLast = index === lines.length - 1
    if (sheets.ensure(Math.min(height, 200) + (isLast ? rowGap + heightAfter : 0))) writeTitles()
    writeCells(
      columns.map(({ text }) => text(line)),
      {},
    )
    for (const { text, style } of texts) {
      if (sheets.ensure(lineHeight(style))) writeTitles()
      sheets.put(text, 0, descriptionWidth, style)
      sheets.y += lineHeight(style)
    }
    sheets.y += rowGap
  }
  sheets.rule()
}
