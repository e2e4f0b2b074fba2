import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import type { OfList } from '../lists/list.ts'
import { invoiceList, isOverdueAt } from './invoice-list.ts'
import type { InvoiceFilters } from './invoice-list.ts'

/** The amounts of a list's invoices in one currency. */
interface InvoiceSum {
  currency: string
  outstanding: number
  outstandingCount: number
  overdue: number
  overdueCount: number
  paidThisYear: number
  paidThisYearCount: number
}

const sumSql = (name: string, condition: string, amount: string) =>
  `coalesce(sum(${amount}) FILTER (WHERE ${condition}), 0)::float8 AS "${name}", count(*) FILTER (WHERE ${condition}) AS "${name}Count"`
const amountDue = 'r.subtotal::numeric + r.tax - r.amount_paid'
const isPaidThisYear = (now: string) =>
  `r.status = 'paid' AND coalesce((r.paid_at AT TIME ZONE 'UTC')::date, r.invoice_date) >= date_trunc('year', ${now} AT TIME ZONE 'UTC')`

/** The sums are exact below 2^53, like each amount. */
const sums = {
  name: 'sums',
  columns: ({ now }: { now: string }) => `r.currency, ${sumSql('outstanding', `r.status = 'open'`, amountDue)},
    ${sumSql('overdue', isOverdueAt(now), amountDue)}, ${sumSql('paidThisYear', isPaidThisYear(now), 'r.amount_paid')}`,
  groupBy: 'currency',
}

/** Loads the sums of a list by currency. They ignore its filter by status, because each sum is of one status. */
export const loadSums = (context: Context, { ownerId, filters }: OfList<InvoiceFilters>) =>
  invoiceList.aggregate<InvoiceSum>(context, ownerId, { ...filters, status: null, overdue: null }, sums)

export const InvoiceSumType = builder.objectRef<InvoiceSum>('InvoiceSum').implement({
  description: 'Amounts of the invoices of a list in one currency.',
  fields: (t) => ({
    currency: t.exposeString('currency', { describedBy: 'Invoice.currency' }),
    outstanding: t.expose('outstanding', { type: 'MinorUnits', description: 'The amount due of open invoices, overdue or not.' }),
    outstandingCount: t.exposeInt('outstandingCount', { description: 'Number of open invoices.' }),
    overdue: t.expose('overdue', { type: 'MinorUnits', description: 'The amount due of open invoices past their due date.' }),
    overdueCount: t.exposeInt('overdueCount', { description: 'Number of open invoices past their due date.' }),
    paidThisYear: t.expose('paidThisYear', {
      type: 'MinorUnits',
      description:
        'The amount of invoices paid in the current year, in UTC. An invoice whose date of payment is unknown counts by its invoice date.',
    }),
    paidThisYearCount: t.exposeInt('paidThisYearCount', { description: 'Number of these invoices.' }),
  }),
})
