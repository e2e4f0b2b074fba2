import type { InvoiceQuery } from '../../generated/operations.ts'
import { formatMoney } from '../money.ts'
import { appNames } from '../../words.ts'
import { dayOf } from '../../time.tsx'
import { periodOf, statusWords } from '../words.ts'
import { linesTable } from './lines-table.ts'
import { createSheets, lineHeight } from './sheet.ts'
import type { Sheets, Style } from './sheet.ts'

export type PrintedTeam = InvoiceQuery['team']
export type PrintedInvoice = PrintedTeam['invoice']

/**
 * An invoice as a PDF. The same invoice gives the same bytes: the document bears the date of the invoice, and nothing
 * of the moment or of who asks.
 */
export async function invoicePdf({ name, invoice }: PrintedTeam): Promise<Buffer> {
  const sheets = createSheets(`Invoice ${invoice.number}`, name, new Date(invoice.invoiceDate))
  paragraph(sheets, `Invoice ${invoice.number}`, { font: 'bold', size: 18 })
  paragraph(sheets, name, { size: 12 })
  sheets.y += 10
  facts(sheets, invoice)
  sheets.y += 14
  await linesTable(sheets, invoice)
  totals(sheets, invoice)
  return sheets.end(`Invoice ${invoice.number}`)
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
    ['Status', statusWords[invoice.status]],
    ['Invoice date', dayOf(invoice.invoiceDate)],
    ['Due', invoice.dueDate && dayOf(invoice.dueDate)],
    ['Paid', invoice.paidAt && dayOf(invoice.paidAt)],
    ['Period', periodOf(invoice)],
    ['Application', invoice.appId && appNames[invoice.appId]],
  ]
  for (const [label, value] of entries) {
    if (value === null) continue
    sheets.put(label, 0, 90, { color: '#565e6c' })
    sheets.put(value, 90, sheets.width - 90)
    sheets.y += lineHeight()
  }
}

/** Kept together, at the right under the amounts. */
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
