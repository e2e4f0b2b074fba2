import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { InvoicesDocument } from '../generated/operations.ts'
import { isFiltered } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { maxExported } from './export.ts'
import { invoicesTable, invoiceVariables } from './invoices-table.tsx'
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

const Actions = ({ total, ctx: { path, query } }: { total: number; ctx: PageContext }) => (
  <p class="actions">
    <a href={`${path}/by-month`}>Totals by month</a>
    {total > maxExported ? (
      <span class="hint">To export, filter the list to at most {maxExported.toLocaleString('en')} invoices.</span>
    ) : (
      <a href={`${path}.csv${query.size > 0 ? `?${query}` : ''}`}>Export as CSV</a>
    )}
  </p>
)
