import type { InvoicesQuery } from '../generated/operations.ts'
import { Button } from '../../web/components/forms/button.tsx'
import { Select } from '../../web/components/forms/field.tsx'
import { EmptyList, PageLinks } from '../../web/components/page-links.tsx'
import { Table } from '../../web/components/table.tsx'
import { Day } from '../../web/components/time.tsx'
import { parseInvoiceFilter } from './invoice-filter.ts'
import type { InvoiceFilter } from './invoice-filter.ts'
import { formatMoney } from './money.ts'
import { appNames } from '../labels.ts'
import { InvoiceStatus } from './invoice-status.tsx'

type Invoices = InvoicesQuery['team']['invoices']

interface InvoiceListProps {
  /** Path of the page without the query. */
  path: string
  query: URLSearchParams
  invoices: Invoices
}

/** A page of invoices and its filter. */
export function InvoiceList({ path, query, invoices }: InvoiceListProps) {
  const filter = parseInvoiceFilter(query)
  return (
    <section aria-labelledby="list">
      <h2 id="list">{filter.app ? `Invoices for ${appNames[filter.app]}` : 'All invoices'}</h2>
      <Filter path={path} filter={filter} />
      {invoices.nodes.length > 0 ? (
        <Rows path={path} nodes={invoices.nodes} />
      ) : (
        <EmptyList isBeyond={invoices.total > 0}>{emptyText(filter)}</EmptyList>
      )}
      <PageLinks label="Pages" path={path} query={query} list={invoices} />
    </section>
  )
}

// An invoice for several applications belongs to none of them, so the filter does not find it.
const emptyText = ({ app }: InvoiceFilter) => (app ? `No invoice is for ${appNames[app]} alone.` : 'There is no invoice yet.')

const Filter = ({ path, filter: { app, sort } }: { path: string; filter: InvoiceFilter }) => (
  <form method="get" action={path} class="filter">
    <div>
      <Select
        name="app"
        label="Application"
        options={[{ value: '', label: 'All' }, ...Object.entries(appNames).map(([id, label]) => ({ value: id.toLowerCase(), label }))]}
        selected={app?.toLowerCase() ?? ''}
      />
    </div>
    <div>
      <Select
        name="sort"
        label="Order"
        options={[
          { value: 'desc', label: 'Newest first' },
          { value: 'asc', label: 'Oldest first' },
        ]}
        selected={sort.toLowerCase()}
      />
    </div>
    <Button kind="second">Show</Button>
  </form>
)

const Rows = ({ path, nodes }: { path: string; nodes: Invoices['nodes'] }) => (
  <Table label="Table of invoices">
    <thead>
      <tr>
        <th scope="col">Number</th>
        <th scope="col">Date</th>
        <th scope="col" class="amount">
          Total
        </th>
        <th scope="col">Status</th>
        <th scope="col" class="amount">
          Amount due
        </th>
        <th scope="col">Application</th>
      </tr>
    </thead>
    <tbody>
      {nodes.map(({ id, number, appId, status, currency, total, amountDue, invoiceDate, dueDate, isOverdue }) => (
        <tr>
          <th scope="row" class="words">
            <a href={`${path}/${id}`}>
              <bdi>{number}</bdi>
            </a>
          </th>
          <td>
            <Day at={invoiceDate} />
          </td>
          <td class="amount">{formatMoney(total, currency)}</td>
          <td>
            <InvoiceStatus status={status} isOverdue={isOverdue} />
            {status === 'OPEN' && dueDate && (
              <>
                , due <Day at={dueDate} />
              </>
            )}
          </td>
          <td class="amount">{status === 'VOID' ? '–' : formatMoney(amountDue, currency)}</td>
          <td>{appId ? appNames[appId] : 'Several'}</td>
        </tr>
      ))}
    </tbody>
  </Table>
)
