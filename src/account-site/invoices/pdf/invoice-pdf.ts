import type { Brand } from '../../../web/brand/brand.ts'
import { formatDate } from '../../../web/time-format.ts'
import { listFacts, listParties, listPaymentLines, formatTitle, listTotals } from '../content.ts'
import type { PrintedInvoice, PrintedTeam } from '../content.ts'
import { getStatusLabel } from '../invoice-labels.ts'
import { linesTable } from './lines-table.ts'
import { createSheets, lineHeight } from './sheet.ts'
import type { Sheets } from './sheet.ts'
import type { Style } from './typesetter.ts'

const labelStyle: Style = { color: '#565e6c' }

/**
 * Creates the PDF of an invoice. The bytes for an invoice stay the same until it becomes overdue: the document has the date of the invoice
 * and contains nothing about the request.
 */
export async function invoicePdf(team: PrintedTeam, brand: Brand, onMissingFont: (script: string) => void = () => {}): Promise<Buffer> {
  const { invoice } = team
  const title = formatTitle(invoice)
  const sheets = createSheets({ title, author: brand.legalName, created: new Date(invoice.invoiceDate), onMissingFont })
  sheets.letterhead(brand)
  paragraph(sheets, title, { font: 'bold', size: 18 })
  sheets.y += 10
  parties(sheets, team, brand)
  sheets.y += 10
  facts(sheets, invoice)
  sheets.y += 14
  const totals = listTotals(invoice)
  await linesTable(sheets, invoice, gapAboveTotals + totals.length * lineHeight())
  writeTotals(sheets, totals)
  payment(sheets, listPaymentLines(invoice, brand))
  return sheets.end(title)
}

function paragraph(sheets: Sheets, text: string, style: Style): void {
  for (const line of sheets.lines(text, sheets.width, style)) {
    sheets.ensure(lineHeight(style))
    sheets.put(line, 0, sheets.width, style)
    sheets.y += lineHeight(style)
  }
}

/** Writes the issuer and the customer side by side. */
function parties(sheets: Sheets, team: PrintedTeam, brand: Brand): void {
  const width = sheets.width / 2 - 12
  const columns = listParties(team, brand).map(({ label, lines }, index) => ({
    label,
    x: (index * sheets.width) / 2,
    lines: lines.flatMap((each, line) => {
      const style: Style = line === 0 ? { font: 'bold' } : {}
      return sheets.lines(each, width, style).map((text) => ({ text, style }))
    }),
  }))
  for (const { label, x } of columns) sheets.put(label, x, width, labelStyle)
  sheets.y += lineHeight()
  for (let row = 0; row < Math.max(...columns.map(({ lines }) => lines.length)); row++) {
    sheets.ensure(lineHeight())
    for (const { x, lines } of columns) {
      const line = lines[row]
      if (line) sheets.put(line.text, x, width, line.style)
    }
    sheets.y += lineHeight()
  }
}

function facts(sheets: Sheets, invoice: PrintedInvoice): void {
  for (const fact of listFacts(invoice)) {
    sheets.put(fact.label, 0, 90, labelStyle)
    if (fact.kind === 'status') sheets.put(getStatusLabel(invoice), 90, sheets.width - 90, statusStyle(invoice))
    else sheets.put(fact.kind === 'day' ? formatDate(fact.value) : fact.value, 90, sheets.width - 90)
    sheets.y += lineHeight()
  }
}

/** Returns a red style for an invoice that must not be paid, or that is overdue. */
const statusStyle = ({ status, isOverdue }: PrintedInvoice): Style => ({
  font: 'bold',
  ...(status === 'VOID' || isOverdue ? { color: '#a4161a' } : {}),
})

const gapAboveTotals = 8

/** Writes the totals below the column of amounts. The table of lines has left room for them. */
function writeTotals(sheets: Sheets, totals: ReturnType<typeof listTotals>): void {
  sheets.y += gapAboveTotals
  for (const { label, amount, isMain } of totals) {
    sheets.ensure(lineHeight())
    const style: Style = { font: isMain ? 'bold' : 'regular', align: 'right' }
    sheets.put(label, 0, sheets.width - 150, style)
    sheets.put(amount, 0, sheets.width, style)
    sheets.y += lineHeight()
  }
}

function payment(sheets: Sheets, lines: readonly string[]): void {
  if (lines.length === 0) return
  sheets.ensure(16 + 2 * lineHeight())
  sheets.y += 16
  paragraph(sheets, 'Payment', { font: 'bold' })
  for (const line of lines) paragraph(sheets, line, {})
}
