import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { InvoicesDocument } from '../generated/operations.ts'
import { isFiltered } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { FileLink } from '../table/file-link.tsx'
import { maxExported } from '../table/read-all.ts'
import { invoicesTable, invoiceVariables } from './invoices-table.tsx'
import { maxArchived } from './downloads.ts'
import { SummaryCards } from './totals/summary-cards.tsx'

/** The invoices of a team and the amounts that it owes. */
export const invoices = page({
  path: '/teams/:team/invoices',
  title: 'Invoices',
  nav: { group: 'billing', icon: 'file', order: 0 },
  document: InvoicesDocument,
  variables: invoiceVariables,
  view: ({ team: { invoices, summary } }, ctx) => (
    <>
      {(invoices.total > 0 || isFiltered(invoicesTable, ctx.query)) && <SummaryCards sums={summary.sums} ctx={ctx} />}
      <DataTable table={invoicesTable} ctx={ctx} list={invoices} actions={<Actions total={invoices.total} ctx={ctx} />} />
    </>
  ),
})

const Actions = ({ total, ctx }: { total: number; ctx: PageContext }) => {
  if (total === 0) return null
  const file = { noun: 'invoices', total, ctx }
  return (
    <p class="actions">
      <a href={`${ctx.path}/by-month`}>Totals by month</a>
      <FileLink {...file} extension="csv" verb="Export as" label="CSV" limit={maxExported} />
      <FileLink {...file} extension="zip" verb="Download" label="PDFs" limit={maxArchived} />
    </p>
  )
}
