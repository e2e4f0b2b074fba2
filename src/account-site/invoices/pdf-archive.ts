import { invalid } from '../../../schema/core/errors.ts'
import { zipFile } from '../../web/zip.ts'
import type { ZipEntry } from '../../web/zip.ts'
import type { Download } from '../framework/download.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { InvoiceDocument, InvoiceIdsDocument } from '../generated/operations.ts'
import { fileNames } from './file-name.ts'
import { invoiceVariables } from './invoices-table.tsx'

/** Making a file takes the processor some hundredths of a second, so that this is some seconds of it. */
export const maxArchived = 500

const listed = siteOperation(InvoiceIdsDocument)
const single = siteOperation(InvoiceDocument)

/** The PDF files of the invoices that match the filters of the page, on all its pages, as a ZIP file. */
export const invoicesArchive: Download = {
  path: '/teams/:team/invoices.zip',
  async load(ctx) {
    const ids = await readIds(ctx)
    const name = `${ctx.param('team')}-invoices-${ctx.site.now().toISOString().slice(0, 10)}.zip`
    return { name, type: 'application/zip', body: zipFile(entriesOf(ids, ctx)) }
  },
}

/** Before the file is sent, because its response cannot say afterwards that there are too many. */
async function readIds(ctx: PageContext): Promise<ReadonlySet<string>> {
  const { perPage: _, page: __, ...variables } = invoiceVariables(ctx)
  const ids = new Set<string>()
  for (let page = 1, lastPage = 1; page <= lastPage; page++) {
    const { nodes, total, ...list } = (await listed.run({ ...variables, page }, ctx)).team.invoices
    if (total > maxArchived) throw invalid({ download: [`Filter the list to at most ${maxArchived} invoices.`] })
    for (const { id } of nodes) ids.add(id)
    lastPage = list.lastPage
  }
  return ids
}

/** One after the other, so that a file is in memory only until it is sent. */
async function* entriesOf(ids: ReadonlySet<string>, ctx: PageContext): AsyncGenerator<ZipEntry> {
  const { invoicePdf } = await import('./pdf/invoice-pdf.ts')
  const nameOf = fileNames()
  for (const id of ids) {
    const { team } = await single.run({ team: ctx.param('team'), id }, ctx)
    const body = await invoicePdf(team, ctx.site.brand, ctx.site.reportMissingFont)
    yield { name: nameOf(team.invoice), body, modified: new Date(team.invoice.invoiceDate) }
  }
}
