import type { InvoiceQuery } from '../../generated/operations.ts'
import { formatMoney } from '../money.ts'
import { productName } from '../../labels.ts'
import { formatDate } from '../../../web/time-format.ts'
import { formatPeriod, markOf, statusLabelOf } from '../labels.ts'
import { linesTable } from './lines-table.ts'
import { createSheets, lineHeight } from './sheet.ts'
import type { Sheets } from './sheet.ts'
import type { Style } from './typesetter.ts'

/** Who issues the invoices: the operator of the service. */
export interface Issuer {
  name: string
  /** The lines of the postal address. */
  address: readonly string[]
}

export type PrintedTeam = InvoiceQuery['team']
export type PrintedInvoice = PrintedTeam['invoice']

/**
 * Creates the PDF of an invoice. The same invoice gives the same bytes, until it becomes overdue: the document is dated with
 * the invoice's date and contains nothing about the request.
 */
export async function invoicePdf(
  { name, invoice }: PrintedTeam,
  issuer: Issuer,
  onMissingFont: (script: string) => void = () => {},
): Promise<Buffer> {
  const sheets = createSheets(`Invoice ${invoice.number}`, issuer.name, new Date(invoice.invoiceDate), onMissingFont)
  paragraph(sheets, `Invoice ${invoice.number}`, { font: 'bold', size: 18 })
  const mark = markOf(invoice)
  if (mark !== null) paragraph(sheets, mark, { font: 'bold', size: 14, color: '#a4161a' })
  sheets.y += 10
  parties(sheets, { from: [issuer.name, ...issuer.address], to: [name] })
  sheets.y += 10
  facts(sheets, invoice)
  sheets.y += 14
  const totals = totalsOf(invoice)
  await linesTable(sheets, invoice, totalsHeight(totals))
  writeTotals(sheets, totals, invoice.currency)
  return sheets.end(`Invoice ${invoice.number}${mark === null ? '' : `, ${mark.toLowerCase()}`}`)
}

function paragraph(sheets: Sheets, text: string, style: Style): void {
  for (const line of sheets.lines(text, sheets.width, style)) {
    sheets.ensure(lineHeight(style))
    sheets.put(line, 0, sheets.width, style)
    sheets.y += lineHeight(style)
  }
}

/** Writes the issuer and the recipient beside each other. */
function parties(sheets: Sheets, { from, to }: { from: readonly string[]; to: readonly string[] }): void {
  const width = sheets.width / 2 - 12
  const columns = [
    { label: 'From', x: 0, lines: from },
    { label: 'Bill to', x: sheets.width / 2, lines: to },
  ].map(({ label, x, lines }) => ({ label, x, lines: lines.flatMap((each) => sheets.lines(each, width)) }))
  for (const { label, x } of columns) sheets.put(label, x, width, { color: '#565e6c' })
  sheets.y += lineHeight()
  for (let row = 0; row < Math.max(...columns.map(({ lines }) => lines.length)); row++) {
    sheets.ensure(lineHeight())
    for (const { x, lines } of columns) sheets.put(lines[row] ?? '', x, width, row === 0 ? { font: 'bold' } : {})
    sheets.y += lineHeight()
  }
}

function facts(sheets: Sheets, invoice: PrintedInvoice): void {
  const entries: [string, string | null][] = [
    ['Status', statusLabelOf(invoice)],
    ['Invoice date', formatDate(invoice.invoiceDate)],
    ['Due', invoice.dueDate && formatDate(invoice.dueDate)],
    ['Paid', invoice.paidAt && formatDate(invoice.paidAt)],
    ['Period', formatPeriod(invoice)],
    ['Product', productName(invoice.appId)],
  ]
  for (const [label, value] of entries) {
    if (value === null) continue
    sheets.put(label, 0, 90, { color: '#565e6c' })
    sheets.put(value, 90, sheets.width - 90)
    sheets.y += lineHeight()
  }
}

type Total = readonly [label: string, amount: number, style: Style]

function totalsOf(invoice: PrintedInvoice): Total[] {
  return [
    ['Subtotal', invoice.subtotal, {}],
    ['Tax', invoice.tax, {}],
    ['Total', invoice.total, { font: 'bold' }],
    ['Paid', invoice.amountPaid, {}],
    // Nothing is due for a void invoice, and an amount would invite to pay it.
    ...(invoice.status === 'VOID' ? [] : [['Amount due', invoice.amountDue, { font: 'bold' }] as const]),
  ]
}

const gapAboveTotals = 8
const totalsHeight = (totals: readonly Total[]) => gapAboveTotals + totals.length * lineHeight()

/** Writes the totals below the column of amounts. The table of lines has left room for them. */
function writeTotals(sheets: Sheets, totals: readonly Total[], currency: string): void {
  sheets.ensure(totalsHeight(totals))
  sheets.y += gapAboveTotals
  for (const [label, amount, style] of totals) {
    sheets.put(label, 0, sheets.width - 150, { ...style, align: 'right' })
    sheets.put(formatMoney(amount, currency), 0, sheets.width, { ...style, align: 'right' })
    sheets.y += lineHeight()
  }
}
