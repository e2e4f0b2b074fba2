import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { InvoicesDocument } from '../generated/operations.ts'
import { isFiltered } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { maxExported } from './export.ts'
import { invoicesTable, invoiceVariables } from './invoices-table.tsx'
import { maxArchived } from './pdf-archive.ts'
import { SummaryCards } from './summary-cards.tsx'

/** The invoices of a team and what it owes. */
export const invoices = page({
  path: '/teams/:team/invoices',
  title: 'Invoices',
  nav: { section: 'team', label: 'Invoices', icon: 'file', order: 60 },
  document: InvoicesDocument,
  variables: invoiceVariables,
  view: ({ team: { invoices } }, ctx) => (
    <>
      {(invoices.total > 0 || isFiltered(invoicesTable, ctx.query)) && <SummaryCards sums={invoices.sums} ctx={ctx} />}
      <DataTable
        table={invoicesTable}
        ctx={ctx}
        list={invoices}
        actions={invoices.total > 0 && <Actions total={invoices.total} ctx={ctx} />}
      />
    </>
  ),
})

const Actions = ({ total, ctx: { path, query } }: { total: number; ctx: PageContext }) => {
  const filters = query.size > 0 ? `?${query}` : ''
  return (
    <p class="actions">
      <a href={`${path}/by-month`}>Totals by month</a>
      <FileLink path={`${path}.csv${filters}`} label="Export as CSV" total={total} limit={maxExported} />
      <FileLink path={`${path}.zip${filters}`} label="Download PDFs" total={total} limit={maxArchived} />
    </p>
  )
}

/** A file of the invoices that the list shows. */
const FileLink = ({ path, label, total, limit }: { path: string; label: string; total: number; limit: number }) =>
  total > limit ? (
    <span class="hint">
      {label}: filter the list to at most {limit.toLocaleString('en')} invoices.
    </span>
  ) : (
    <a class="button second" href={path}>
      {label}
    </a>
  )
