import { invalid } from '../../../schema/core/errors.ts'
import { csvFile } from '../../web/csv.ts'
import type { Download } from '../framework/download.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { InvoiceExportDocument } from '../generated/operations.ts'
import type { InvoiceExportQuery } from '../generated/operations.ts'
import { productName } from '../labels.ts'
import { invoiceVariables } from './invoices-table.tsx'
import { statusLabels } from './labels.ts'
import { decimalOf } from '../../web/money.ts'

type Invoice = InvoiceExportQuery['team']['invoices']['nodes'][number]

/** The rows are collected before the file is sent, so that an error never leaves an incomplete file. */
export const maxExported = 10_000

const columns: Readonly<Record<string, (invoice: Invoice) => string | null>> = {
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

const operation = siteOperation(InvoiceExportDocument)

/** The invoices that match the filters of the page, on all its pages, as a CSV file. */
export const invoicesFile: Download = {
  path: '/teams/:team/invoices.csv',
  async load(ctx) {
    const rows = (await readAll(ctx)).map((invoice) => Object.values(columns).map((valueOf) => valueOf(invoice)))
    const name = `${ctx.param('team')}-invoices-${ctx.site.now().toISOString().slice(0, 10)}.csv`
    return { name, ...csvFile([Object.keys(columns), ...rows]) }
  },
}

async function readAll(ctx: PageContext): Promise<Invoice[]> {
  const { perPage: _, page: __, ...variables } = invoiceVariables(ctx)
  // By identifier, because an invoice that is created meanwhile moves others to the next page, where they are read again.
  const found = new Map<string, Invoice>()
  for (let page = 1, lastPage = 1; page <= lastPage; page++) {
    const { nodes, total, ...list } = (await operation.run({ ...variables, page }, ctx)).team.invoices
    if (total > maxExported) throw invalid({ export: [`Filter the list to at most ${maxExported.toLocaleString('en')} invoices.`] })
    for (const node of nodes) found.set(node.id, node)
    lastPage = list.lastPage
  }
  return [...found.values()]
}
