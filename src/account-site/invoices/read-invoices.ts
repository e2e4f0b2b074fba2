import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import { InvoiceExportDocument } from '../generated/operations.ts'
import type { InvoiceExportQuery } from '../generated/operations.ts'
import { readAll } from '../table/read-all.ts'
import { invoiceVariables } from './invoices-table.tsx'

export type ListedInvoice = InvoiceExportQuery['team']['invoices']['nodes'][number]

const operation = siteOperation(InvoiceExportDocument)

/** The invoices that match the filters of the page, on all its pages. Throws the refusal if there are more than the limit. */
export function readInvoices(
  ctx: PageContext,
  most: { limit: number; refusal: Readonly<Record<string, string>> },
): Promise<ListedInvoice[]> {
  const { perPage: _, page: __, ...variables } = invoiceVariables(ctx)
  return readAll({ ...most, keyOf: ({ id }) => id, load: async (page) => (await operation.run({ ...variables, page }, ctx)).team.invoices })
}
