import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { InvoiceExportDocument, InvoiceDocument } from '../generated/operations.ts'
import type { InvoiceExportQuery } from '../generated/operations.ts'
import { readAll, exportLimit } from '../table/read-all.ts'
import { invoiceVariables } from './invoices-table.tsx'
import { csvFile } from '../../web/files/csv.ts'
import type { Download } from '../framework/download.ts'
import { getInvoiceProduct } from '../labels.ts'
import { statusLabels } from './invoice-labels.ts'
import { formatDecimal } from '../../web/money.ts'
import { zipFile } from '../../web/files/zip.ts'
import type { ZipEntry } from '../../web/files/zip.ts'
import { fileNames } from './file-name.ts'

type ListedInvoice = InvoiceExportQuery['team']['invoices']['nodes'][number]

const operation = siteOperation(InvoiceExportDocument)

/** Reads all invoices that match the filters of the page. Throws the refusal if there are more than the limit. */
function readInvoices(ctx: PageContext, most: { limit: number; refusal: Readonly<Record<string, string>> }): Promise<ListedInvoice[]> {
  const { perPage: _, page: __, ...variables } = invoiceVariables(ctx)
  return readAll({
    ...most,
    getKey: ({ id }) => id,
    load: async (page) => (await operation.run({ ...variables, page }, ctx)).team.invoices,
  })
}

const columns: Readonly<Record<string, (invoice: ListedInvoice) => string | null>> = {
  Number: ({ number }) => number,
  Status: ({ status, isOverdue }) => (isOverdue ? 'Overdue' : statusLabels[status]),
  Product: getInvoiceProduct,
  'Invoice date': ({ invoiceDate }) => invoiceDate,
  'Due date': ({ dueDate }) => dueDate,
  'Paid at': ({ paidAt }) => paidAt,
  'Period start': ({ periodStart }) => periodStart,
  'Period end': ({ periodEnd }) => periodEnd,
  Currency: ({ currency }) => currency.toUpperCase(),
  Subtotal: ({ subtotal, currency }) => formatDecimal(subtotal, currency),
  Tax: ({ tax, currency }) => formatDecimal(tax, currency),
  Total: ({ total, currency }) => formatDecimal(total, currency),
  'Amount paid': ({ amountPaid, currency }) => formatDecimal(amountPaid, currency),
  'Amount due': ({ amountDue, currency }) => formatDecimal(amountDue, currency),
}

/** A CSV file of all invoices that match the filters of the page. */
export const invoicesFile: Download = {
  path: '/teams/:team/invoices.csv',
  async load(ctx) {
    const invoices = await readInvoices(ctx, exportLimit('invoices'))
    const toRow = (invoice: ListedInvoice) => Object.values(columns).map((getValue) => getValue(invoice))
    const name = `${ctx.param('team')}-invoices-${ctx.site.now().toISOString().slice(0, 10)}.csv`
    return { name, ...(await csvFile(Object.keys(columns), invoices, toRow)) }
  },
}

/** Maximum number of PDF files in an archive. Each takes some hundredths of a second, so an archive takes some seconds. */
export const maxArchived = 500

const single = siteOperation(InvoiceDocument)

/** A ZIP file with the PDF files of all invoices that match the filters of the page. */
export const invoicesArchive: Download = {
  path: '/teams/:team/invoices.zip',
  async load(ctx) {
    // The limit is checked before the file is sent, because afterwards the response cannot report it.
    const refusal = { download: `Filter the list to at most ${maxArchived} invoices.` }
    const invoices = await readInvoices(ctx, { limit: maxArchived, refusal })
    const name = `${ctx.param('team')}-invoices-${ctx.site.now().toISOString().slice(0, 10)}.zip`
    return { name, type: 'application/zip', body: zipFile(listEntries(invoices, ctx)) }
  },
}

/** The files are created one after the other, so that each is in memory only until it is sent. */
async function* listEntries(invoices: readonly ListedInvoice[], ctx: PageContext): AsyncGenerator<ZipEntry> {
  const { invoicePdf } = await import('./pdf/invoice-pdf.ts')
  const getName = fileNames()
  for (const { id } of invoices) {
    const { team } = await single.run({ team: ctx.param('team'), id }, ctx)
    const body = await invoicePdf(team, ctx.site.brand, ctx.site.reportMissingFont)
    yield { name: getName(team.invoice), body, modified: new Date(team.invoice.invoiceDate) }
  }
}
