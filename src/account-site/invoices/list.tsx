import type { InvoicesQuery } from '../generated/operations.ts'
import { Button, Select } from '../form.tsx'
import { NoRows, PageLinks } from '../page-links.tsx'
import { Table } from '../table.tsx'
import { Day } from '../time.tsx'
import { askedOf } from './asked.ts'
import type { Asked } from './asked.ts'
import { formatMoney } from './money.ts'
import { appNames } from '../words.ts'
import { statusWords } from './words.ts'

type Invoices = InvoicesQuery['team']['invoices']
interface ListProps {
  /** Of the page, without the query. */
  path: string
  query: URLSearchParams
  invoices: Invoices
}

/** One page of the list, and what is asked of it. */
export function InvoiceList({ path, query, invoices }: ListProps) {
  const asked = askedOf(query)
  return (
    <section aria-labelledby="list">
      <h2 id="list">{asked.app ? `Invoices for ${appNames[asked.app]}` : 'All invoices'}</h2>
      <Filter path={path} asked={asked} />
      {invoices.nodes.length > 0 ? (
        <Rows path={path} nodes={invoices.nodes} />
      ) : (
        <NoRows isBeyond={invoices.total > 0}>{emptyWords(asked)}</NoRows>
      )}
      <PageLinks label="Pages" path={path} query={query} list={invoices} />
    </section>
  )
}

// What is charged for several applications is an invoice of none of them.
const emptyWords = ({ app }: Asked) => (app ? `No invoice is for ${appNames[app]} alone.` : 'There is no invoice yet.')

const Filter = ({ path, asked: { app, sort } }: { path: string; asked: Asked }) => (
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
      {nodes.map(({ id, number, appId, status, currency, total, amountDue, invoiceDate, dueDate }) => (
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
            {statusWords[status]}
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
