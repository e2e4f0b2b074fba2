import { csvFile } from '../../web/csv.ts'
import type { Download } from '../framework/download.ts'
import { productName } from '../labels.ts'
import { exportLimit } from '../table/read-all.ts'
import { statusLabels } from './labels.ts'
import { readInvoices } from './read-invoices.ts'
import type { ListedInvoice } from './read-invoices.ts'
import { decimalOf } from '../../web/money.ts'

const columns: Readonly<Record<string, (invoice: ListedInvoice) => string | null>> = {
  Number: ({ number }) => number,
  Status: ({ status, isOverdue }) => (isOverdue ? 'Overdue' : statusLabels[status]),
  Product: ({ appId }) => productName(appId),
  'Invoice date': ({ invoiceDate }) => invoiceDate,
  'Due date': ({ dueDate }) => dueDate,
  'Paid at': ({ paidAt }) => paidAt,
  'Period start': ({ periodStart }) => periodStart,
  'Period end': ({ periodEnd }) => periodEnd,
  Currency: ({ currency }) => currency.toUpperCase(),
  Subtotal: ({ subtotal, currency }) => decimalOf(subtotal, currency),
  Tax: ({ tax, currency }) => decimalOf(tax, currency),
  Total: ({ total, currency }) => decimalOf(total, currency),
  'Amount paid': ({ amountPaid, currency }) => decimalOf(amountPaid, currency),
  'Amount due': ({ amountDue, currency }) => decimalOf(amountDue, currency),
}

/** The invoices that match the filters of the page, on all its pages, as a CSV file. */
export const invoicesFile: Download = {
  path: '/teams/:team/invoices.csv',
  async load(ctx) {
    const invoices = await readInvoices(ctx, exportLimit('invoices'))
    const toRow = (invoice: ListedInvoice) => Object.values(columns).map((valueOf) => valueOf(invoice))
    const name = `${ctx.param('team')}-invoices-${ctx.site.now().toISOString().slice(0, 10)}.csv`
    return { name, ...(await csvFile(Object.keys(columns), invoices, toRow)) }
  },
}
