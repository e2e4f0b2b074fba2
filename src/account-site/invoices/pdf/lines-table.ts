import { setImmediate } from 'node:timers/promises'
import type { InvoiceQuery } from '../../generated/operations.ts'
import { formatMoney } from '../money.ts'
import { appNames } from '../../words.ts'
import { periodOf } from '../words.ts'
import { lineHeight } from './sheet.ts'
import type { Sheets, Style } from './sheet.ts'

type Invoice = InvoiceQuery['team']['invoice']
type Line = Invoice['lines'][number]

interface Column {
  title: string
  text(line: Line): string
}

const gap = 12
const heading: Style = { font: 'bold' }
const quiet: Style = { size: 8, color: '#565e6c' }

/** The lines of an invoice; every sheet begins with the names of the columns, and a row stands on one sheet where it can. */
export async function linesTable(sheets: Sheets, { lines, currency }: Pick<Invoice, 'lines' | 'currency'>): Promise<void> {
  const columns: Column[] = [
    { title: 'Quantity', text: ({ quantity }) => quantity.toLocaleString('en') },
    { title: 'Unit price', text: ({ unitAmount }) => formatMoney(unitAmount, currency) },
    { title: 'Amount', text: ({ amount }) => formatMoney(amount, currency) },
  ]
  // As wide as what is in them: the description has the rest.
  const widths = columns.map(({ title, text }) =>
    Math.max(sheets.measure(title, heading), ...lines.map((line) => sheets.measure(text(line)))),
  )
  const described = sheets.width - widths.reduce((sum, width) => sum + width + gap, 0)

  const cells = (texts: readonly string[], style: Style) => {
    let x = described
    texts.forEach((text, index) => {
      const width = widths[index] ?? 0
      sheets.put(text, x + gap, width, { ...style, align: 'right' })
      x += gap + width
    })
  }
  const head = () => {
    sheets.put('Description', 0, described, heading)
    cells(
      columns.map(({ title }) => title),
      heading,
    )
    sheets.y += lineHeight() + 2
    sheets.rule()
    sheets.y += 5
  }

  const headHeight = lineHeight() + 7
  sheets.ensure(headHeight + 3 * lineHeight())
  head()
  for (const [index, line] of lines.entries()) {
    // Some ten milliseconds of work: others have their turn between.
    if (index % 50 === 49) await setImmediate()
    const about = [line.appId && appNames[line.appId], periodOf(line)].filter(Boolean).join(' · ')
    const written = [
      ...sheets.lines(line.description, described).map((text) => ({ text, style: {} as Style })),
      ...(about ? sheets.lines(about, described, quiet).map((text) => ({ text, style: quiet })) : []),
    ]
    const height = written.reduce((sum, { style }) => sum + lineHeight(style), 0)
    if (sheets.ensure(Math.min(height, 200))) head()
    cells(
      columns.map(({ text }) => text(line)),
      {},
    )
    for (const { text, style } of written) {
      if (sheets.ensure(lineHeight(style))) head()
      sheets.put(text, 0, described, style)
      sheets.y += lineHeight(style)
    }
    sheets.y += 4
  }
  sheets.rule()
}
