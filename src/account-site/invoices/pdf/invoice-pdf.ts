import type { InvoiceQuery } from '../../generated/operations.ts'
import { formatMoney } from '../money.ts'
import { appNames } from '../../labels.ts'
import { formatDate } from '../../../web/time-format.ts'
import { formatPeriod, markOf, statusLabels } from '../labels.ts'
import { linesTable } from './lines-table.ts'
import { createSheets, lineHeight } from './sheet.ts'
import type { Sheets, Style } from './sheet.ts'

export type PrintedTeam = InvoiceQuery['team']
export type PrintedInvoice = PrintedTeam['invoice']

/**
 * Creates the PDF of an invoice. The same invoice gives the same bytes, until it becomes overdue: the document is dated with
 * the invoice's date and contains nothing about the request.
 */
export async function invoicePdf({ name, invoice }: PrintedTeam): Promise<Buffer> {
  const sheets = createSheets(`Invoice ${invoice.number}`, name, new Date(invoice.invoiceDate))
  paragraph(sheets, `Invoice ${invoice.number}`, { font: 'bold', size: 18 })
  paragraph(sheets, name, { size: 12 })
  const mark = markOf(invoice)
  if (mark !== null) paragraph(sheets, mark, { font: 'bold', size: 14, color: '#a4161a' })
  sheets.y += 10
  facts(sheets, invoice)
  sheets.y += 14
  await linesTable(sheets, invoice)
  totals(sheets, invoice)
  return sheets.end(`Invoice ${invoice.number}${mark === null ? '' : `, ${mark.toLowerCase()}`}`)
}

function paragraph(sheets: Sheets, text: string, style: Style): void {
  for (const line of sheets.lines(text, sheets.width, style)) {
    sheets.ensure(lineHeight(style))
    sheets.put(line, 0, sheets.width, style)
    sheets.y += lineHeight(style)
  }
}

function facts(sheets: Sheets, invoice: PrintedInvoice): void {
  const entries: [string, string | null][] = [
    ['Status', statusLabels[invoice.status]],
    ['Invoice date', formatDate(invoice.invoiceDate)],
    ['Due', invoice.dueDate && formatDate(invoice.dueDate)],
    ['Paid', invoice.paidAt && formatDate(invoice.paidAt)],
    ['Period', formatPeriod(invoice)],
    ['Application', invoice.appId && appNames[invoice.appId]],
  ]
  for (const [label, value] of entries) {
    if (value === null) continue
    sheets.put(label, 0, 90, { color: '#565e6c' })
    sheets.put(value, 90, sheets.width - 90)
    sheets.y += lineHeight()
  }
}

/** Writes the totals on one page, below the column of amounts. */
function totals(sheets: Sheets, invoice: PrintedInvoice): void {
  const entries: [string, number, Style][] = [
    ['Subtotal', invoice.subtotal, {}],
    ['Tax', invoice.tax, {}],
    ['Total', invoice.total, { font: 'bold' }],
    ['Paid', invoice.amountPaid, {}],
    ['Amount due', invoice.amountDue, { font: 'bold' }],
  ]
  sheets.ensure(entries.length * lineHeight() + 8)
  sheets.y += 8
  for (const [label, amount, style] of entries) {
    sheets.put(label, 0, sheets.width - 150, { ...style, align: 'right' })
    sheets.put(formatMoney(amount, invoice.currency), 0, sheets.width, { ...style, align: 'right' })
    sheets.y += lineHeight()
  }
}
