import { zipFile } from '../../web/zip.ts'
import type { ZipEntry } from '../../web/zip.ts'
import type { Download } from '../framework/download.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { InvoiceDocument } from '../generated/operations.ts'
import { fileNames } from './file-name.ts'
import { readInvoices } from './read-invoices.ts'
import type { ListedInvoice } from './read-invoices.ts'

/** Making a file takes the processor some hundredths of a second, so that this is some seconds of it. */
export const maxArchived = 500

const single = siteOperation(InvoiceDocument)

/** The PDF files of the invoices that match the filters of the page, on all its pages, as a ZIP file. */
export const invoicesArchive: Download = {
  path: '/teams/:team/invoices.zip',
  async load(ctx) {
    // Before the file is sent, because its response cannot say afterwards that there are too many.
    const refusal = { download: `Filter the list to at most ${maxArchived} invoices.` }
    const invoices = await readInvoices(ctx, { limit: maxArchived, refusal })
    const name = `${ctx.param('team')}-invoices-${ctx.site.now().toISOString().slice(0, 10)}.zip`
    return { name, type: 'application/zip', body: zipFile(entriesOf(invoices, ctx)) }
  },
}

/** One after the other, so that a file is in memory only until it is sent. */
async function* entriesOf(invoices: readonly ListedInvoice[], ctx: PageContext): AsyncGenerator<ZipEntry> {
  const { invoicePdf } = await import('./pdf/invoice-pdf.ts')
  const nameOf = fileNames()
  for (const { id } of invoices) {
    const { team } = await single.run({ team: ctx.param('team'), id }, ctx)
    const body = await invoicePdf(team, ctx.site.brand, ctx.site.reportMissingFont)
    yield { name: nameOf(team.invoice), body, modified: new Date(team.invoice.invoiceDate) }
  }
}
