import type { InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { ApplicationType } from '../apps/application.ts'
import { enumType } from '../builder/enum-type.ts'
import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { searchPattern } from '../builder/search.ts'
import { InvoiceSumType } from './sums.ts'
import { requireRange } from './date-range.ts'
import { findInvoice, invoicePage } from './queries.ts'
import type { InvoicePage, InvoiceRow, LineRow } from './queries.ts'
import type { InvoiceOrder } from './search-query.ts'
import { isOverdue } from './payment.ts'
import { SortDirectionType } from '../builder/sort-direction.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { TeamType } from '../teams/team.ts'
import { isIdentifier } from '../core/validation.ts'

const StatusType = enumType('InvoiceStatus', 'The payment state of an invoice.', {
  open: 'Issued and not paid.',
  paid: 'Paid in full.',
  uncollectible: 'Not paid, and no longer expected to be.',
  void: 'Cancelled; nothing is due.',
} satisfies Record<InvoiceStatus, string>)
const TeamInvoiceLineType = builder.objectRef<LineRow>('TeamInvoiceLine').implement({
  describedBy: 'InvoiceLine',
  fields: (t) => ({
    lineId: t.exposeID('lineId', { describedBy: 'InvoiceLine.id' }),
    appId: t.expose('appId', { type: ApplicationType, nullable: true, describedBy: 'InvoiceLine.application' }),
    description: t.exposeString('description'),
    quantity: t.exposeInt('quantity'),
    unitAmount: t.expose('unitAmount', { type: 'MinorUnits' }),
    amount: t.expose('amount', { type: 'MinorUnits', description: 'Quantity times unit price.' }),
    currency: t.exposeString('currency', { describedBy: 'Invoice.currency' }),
    periodStart: t.expose('periodStart', { type: 'Date', nullable: true }),
    periodEnd: t.expose('periodEnd', { type: 'Date', nullable: true }),
  }),
})

const TeamInvoiceType = builder.objectRef<InvoiceRow>('TeamInvoice').implement({
  describedBy: 'Invoice',
  fields: (t) => ({
    invoiceId: t.exposeID('invoiceId', { describedBy: 'Invoice.id' }),
    number: t.exposeString('number'),
    appId: t.expose('appId', { type: ApplicationType, nullable: true, describedBy: 'Invoice.application' }),
    status: t.expose('status', { type: StatusType }),
    currency: t.exposeString('currency'),
    subtotal: t.expose('subtotal', { type: 'MinorUnits' }),
    tax: t.expose('tax', { type: 'MinorUnits' }),
    total: t.expose('total', { type: 'MinorUnits', description: 'Subtotal plus tax.' }),
    amountDue: t.expose('amountDue', { type: 'MinorUnits', description: 'Total minus the amount paid; 0 for a void invoice.' }),
    amountPaid: t.expose('amountPaid', { type: 'MinorUnits' }),
    invoiceDate: t.expose('invoiceDate', { type: 'Date' }),
    dueDate: t.expose('dueDate', { type: 'Date', nullable: true }),
    isOverdue: t.boolean({
      description: 'Whether the invoice is open and its due date lies before today, in UTC.',
      resolve: (invoice, _, { now }) => isOverdue(invoice, now()),
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    periodStart: t.expose('periodStart', { type: 'Date', nullable: true }),
    periodEnd: t.expose('periodEnd', { type: 'Date', nullable: true }),
    lines: t.field({
      description: 'The invoice lines, in the order of the invoice.',
      type: [TeamInvoiceLineType],
      resolve: (invoice) => invoice.lines(),
    }),
  }),
})

const InvoiceOrderType = enumType('InvoiceOrder', 'What a list of invoices is sorted by. Invoices without the value come last.', {
  date: 'The invoice date.',
  due: 'The due date.',
  number: 'The invoice number.',
} satisfies Record<InvoiceOrder, string>)

const TeamInvoicePage = pageType('TeamInvoicePage', TeamInvoiceType)
builder.objectField(TeamInvoicePage, 'sums', (t) =>
  t.field({
    description: 'Amounts of the whole list by currency. The arguments `status` and `overdue` do not limit them.',
    // It reads every invoice of the list.
    complexity: 100,
    type: [InvoiceSumType],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the field with this type returns no other pages
    resolve: (page) => (page as InvoicePage).sums(),
  }),
)

/** The requirement for reading invoices and their totals. */
export const requires = { scopes: ['acct:team:invoices:read'], roles: ['owner', 'billing'] } as const

builder.objectFields(TeamType, (t) => ({
  invoices: t.field({
    description: 'All invoices issued to the team, by invoice date.',
    type: TeamInvoicePage,
    complexity: listComplexity,
    requires,
    args: {
      ...pageArguments,
      appId: t.arg({ type: ApplicationType, description: 'Only invoices of this application.' }),
      status: t.arg({ type: StatusType, description: 'Only invoices with this status.' }),
      overdue: t.arg.boolean({ description: 'True for open invoices whose due date lies before today, in UTC.' }),
      since: t.arg({ type: 'Date', description: 'First invoice date; default: no limit.' }),
      until: t.arg({ type: 'Date', description: 'Last invoice date; default: no limit.' }),
      search: t.arg.string({ description: 'Only invoices whose number contains this text, in upper or lower case.' }),
      orderBy: t.arg({ type: InvoiceOrderType, description: 'What the list is sorted by; default `DATE`.' }),
      sort: t.arg({ type: SortDirectionType, description: 'Direction of the order; default `DESC`.' }),
    },
    resolve(team, { appId, status, overdue, since, until, search, orderBy, sort, ...args }, { database, now }) {
      requireRange(since, until)
      const filters = {
        application: appId ?? null,
        status: status ?? null,
        isOverdue: overdue ?? false,
        since: since ?? null,
        until: until ?? null,
      }
      return invoicePage(database.pool, {
        teamId: team.id,
        filters: { ...filters, pattern: searchPattern(search) },
        orderBy: orderBy ?? null,
        sort: sort ?? 'desc',
        now: now(),
        ...slice(args),
      })
    },
  }),
  invoice: t.field({
    description: 'One invoice.',
    type: TeamInvoiceType,
    requires,
    args: { id: t.arg.id({ required: true, description: 'The invoice’s identifier.' }) },
    resolve: async (team, { id }, { database }) => {
      const invoice = isIdentifier(id) ? await findInvoice(database.pool, team.id, id) : null
      if (!invoice) throw notFound()
      return invoice
    },
  }),
}))
