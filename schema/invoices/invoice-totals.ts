import { ApplicationType } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { declareTotals } from '../teams/team-totals.ts'
import type { TotalOf } from '../teams/team-totals.ts'
import { elevenMonthsBefore, requireRange } from './invoice-search.ts'
import { requires, StatusType } from './invoice.ts'
import { readInvoiceTotals } from './totals-query.ts'
import type { AppTotalRow, InvoiceTotalRow } from './totals-query.ts'

// Tax is reported only per group. It belongs to an invoice and not to its lines, so a share for each application would be a number that no
// invoice shows.

const AppTotalType = builder.objectRef<AppTotalRow>('InvoiceAppTotal').implement({
  description: 'The amount invoiced for one product in a group.',
  fields: (t) => ({
    appId: t.expose('appId', {
      type: ApplicationType,
      nullable: true,
      description: 'The product; null for amounts of no product.',
    }),
    subtotal: t.expose('subtotal', { type: 'MinorUnits', description: 'Sum before tax.' }),
  }),
})

const ungrouped = 'null if the totals are not grouped by it'

const InvoiceTotalType = builder.objectRef<TotalOf<InvoiceTotalRow>>('InvoiceTotal').implement({
  description: 'Amounts of invoices in one currency.',
  fields: (t) => ({
    month: t.field({
      type: 'Date',
      nullable: true,
      description: `First day of the month of the invoice dates; ${ungrouped}.`,
      resolve: ({ month }) => month ?? null,
    }),
    appId: t.field({
      type: ApplicationType,
      nullable: true,
      description: `The product of the invoices; null for invoices of all products, and ${ungrouped}.`,
      resolve: ({ application }) => application ?? null,
    }),
    status: t.field({
      type: StatusType,
      nullable: true,
      description: `The payment state of the invoices; ${ungrouped}.`,
      resolve: ({ status }) => status ?? null,
    }),
    currency: t.exposeString('currency', { describedBy: 'Invoice.currency' }),
    count: t.exposeInt('count', { description: 'Number of invoices.' }),
    subtotal: t.expose('subtotal', { type: 'MinorUnits', description: 'Sum before tax; exactly the sum of `apps`.' }),
    tax: t.expose('tax', { type: 'MinorUnits', description: 'Tax of these invoices; it is not divided among products.' }),
    total: t.expose('total', { type: 'MinorUnits', description: 'Subtotal and tax.' }),
    paid: t.expose('paid', { type: 'MinorUnits', description: 'The amount paid so far.' }),
    outstanding: t.expose('outstanding', { type: 'MinorUnits', description: 'The amount due of open invoices, overdue or not.' }),
    outstandingCount: t.exposeInt('outstandingCount', { description: 'Number of open invoices.' }),
    overdue: t.expose('overdue', { type: 'MinorUnits', description: 'The amount due of open invoices past their due date, in UTC.' }),
    overdueCount: t.exposeInt('overdueCount', { description: 'Number of open invoices past their due date, in UTC.' }),
    apps: t.field({
      type: [AppTotalType],
      // The field reads every line of the invoices.
      complexity: 100,
      description:
        'The subtotal by product, where a line’s product takes precedence over its invoice’s. In the order of the enum, then amounts of no product; subtotals of 0 are left out.',
      resolve: ({ apps }) => apps ?? [],
    }),
  }),
})

declareTotals({
  name: 'invoiceTotals',
  description:
    'Invoiced amounts by currency and, by default, month, oldest first. Void invoices count only if the totals are grouped by status.',
  type: InvoiceTotalType,
  requires,
  // The field reads every invoice of the team.
  cost: 300,
  groups: {
    month: { description: 'The month of the invoice date.', values: 12 },
    application: { description: 'The product of the invoice.', values: 4 },
    status: { description: 'The payment state.', values: 3 },
  },
  defaultGroups: ['month'],
  costlyFields: ['apps'],
  args: builder.args((t) => ({
    since: t.field({
      type: 'Date',
      description:
        'First invoice date; default: if grouped by month, the first day of the month eleven months before `until` or today, whichever is earlier, otherwise no limit.',
    }),
    until: t.field({ type: 'Date', description: 'Last invoice date; default: no limit.' }),
  })),
  async read(context, query, { since, until }) {
    const currentDate = context.now().toISOString().slice(0, 10)
    const first = since ?? (query.groups.has('month') ? elevenMonthsBefore(until && until < currentDate ? until : currentDate) : null)
    requireRange(first, until)
    return readInvoiceTotals(context, query, first, until ?? null)
  },
})
