import { builder } from '../builder/builder.ts'
import type { InvoiceSum } from './search-query.ts'

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
