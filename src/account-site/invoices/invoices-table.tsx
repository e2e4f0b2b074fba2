import { Day } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { InvoiceOrderField, InvoicesQuery } from '../generated/operations.ts'
import { getInvoiceProduct, productNames } from '../labels.ts'
import { dayRange, readListVariables } from '../table/address.ts'
import { defineTable } from '../table/declaration.ts'
import { InvoiceStatus } from './invoice-status.tsx'
import { statusLabels } from './invoice-labels.ts'
import { formatMoney } from '../../web/money.ts'

type Invoice = InvoicesQuery['team']['invoices']['nodes'][number]

/** The invoices of a team. */
export const invoicesTable = defineTable({
  noun: ['invoice', 'invoices'],
  getName: ({ number }: Invoice) => `invoice ${number}`,
  search: 'Number, amount',
  filters: {
    status: { label: 'Status', options: { ...statusLabels, OVERDUE: 'Overdue' } },
    product: { label: 'Product', options: productNames },
    from: { label: 'Issued from', isDay: true },
    to: { label: 'Issued to', isDay: true },
  },
  columns: [
    {
      label: 'Number',
      phone: 'name',
      sort: 'NUMBER',
      cell: ({ id, number }, { path }) => (
        <a href={`${path}/${id}`}>
          <bdi>{number}</bdi>
        </a>
      ),
    },
    { label: 'Status', phone: 'state', cell: (invoice) => <InvoiceStatus {...invoice} /> },
    { label: 'Product', phone: 'detail', cell: (invoice) => getInvoiceProduct(invoice) },
    { label: 'Date', phone: 'detail', sort: 'DATE', descendsFirst: true, cell: ({ invoiceDate }) => <Day at={invoiceDate} /> },
    {
      label: 'Due',
      phone: 'labelled state',
      sort: 'DUE',
      descendsFirst: true,
      cell: ({ dueDate }) => (dueDate === null ? '–' : <Day at={dueDate} />),
    },
    { label: 'Total', phone: 'name', kind: 'amount', cell: ({ total, currency }) => formatMoney(total, currency) },
    {
      label: 'Amount due',
      phone: 'detail',
      kind: 'amount',
      cell: ({ status, amountDue, currency }) => (status === 'VOID' || amountDue <= 0 ? '–' : formatMoney(amountDue, currency)),
    },
  ],
  sort: 'DATE',
  isDescending: true,
  empty: 'Invoices appear here when the team is billed for a product.',
  menu: ({ id }, { path, supportSession }) => (
    <>
      <a href={`${path}/${id}`}>View invoice</a>
      {!supportSession && <a href={`${path}/${id}/invoice.pdf`}>Download PDF</a>}
    </>
  ),
})

/** Returns the variables of a list of invoices that match the address. */
export function invoiceVariables({ param, query }: PageContext) {
  const { status, product, from, to, ...list } = readListVariables(invoicesTable, query)
  const issued = dayRange(from, to)
  const ofStatus = status === 'OVERDUE' ? { status: null, overdue: true } : { status, overdue: null }
  // People look for a number; the order of REST within a day is that of the identifiers.
  const sort: InvoiceOrderField = list.sort === 'DATE' ? 'DAY' : list.sort
  return { team: param('team'), ...list, sort, ...ofStatus, appId: product, since: issued.from, until: issued.to }
}
