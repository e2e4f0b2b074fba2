import { z } from 'zod'
import type { InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { ApplicationType } from '../apps/application.ts'
import { enumType } from '../builder/enum-type.ts'
import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import type { OfList } from '../lists/list.ts'
import { orderByType } from '../lists/order-by.ts'
import { InvoiceSumType, loadSums } from './sums.ts'
import { requireRange, invoiceSearch } from './invoice-search.ts'
import { invoiceList } from './invoice-list.ts'
import type { InvoiceFilters, InvoiceOrder } from './invoice-list.ts'
import { findInvoice, findLines } from './queries.ts'
import type { InvoiceRow, LineRow } from './queries.ts'
import { isOverdue } from './payment.ts'
import { calculateTaxes } from './taxes.ts'
import type { InvoiceTax } from './taxes.ts'
import { pageType } from '../builder/pagination.ts'
import { TeamType } from '../teams/team.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier, parse } from '../core/validation.ts'

export const StatusType = enumType('InvoiceStatus', 'The payment state of an invoice.', {
  open: 'Issued and not paid.',
  paid: 'Paid in full.',
  uncollectible: 'Not paid, and no longer expected to be.',
  void: 'Canceled; nothing is due.',
} satisfies Record<InvoiceStatus, string>)
export const TeamInvoiceLineType = builder.objectRef<LineRow>('TeamInvoiceLine').implement({
  describedBy: 'InvoiceLine',
  fields: (t) => ({
    lineId: t.exposeID('lineId', { describedBy: 'InvoiceLine.id' }),
    appId: t.expose('appId', { type: ApplicationType, nullable: true, describedBy: 'InvoiceLine.application' }),
    description: t.exposeString('description'),
    quantity: t.exposeInt('quantity'),
    unitAmount: t.expose('unitAmount', { type: 'MinorUnits' }),
    taxRate: t.exposeFloat('taxRate', { nullable: true }),
    amount: t.expose('amount', { type: 'MinorUnits', description: 'Quantity times unit price.' }),
    currency: t.exposeString('currency', { describedBy: 'Invoice.currency' }),
    periodStart: t.expose('periodStart', { type: 'Date', nullable: true }),
    periodEnd: t.expose('periodEnd', { type: 'Date', nullable: true }),
  }),
})

const InvoiceTaxType = builder.objectRef<InvoiceTax>('InvoiceTax').implement({
  description: 'The tax of the lines of an invoice with one rate.',
  fields: (t) => ({
    rate: t.exposeFloat('rate', { nullable: true, description: 'The rate in percent; null if the lines have no rates.' }),
    net: t.expose('net', { type: 'MinorUnits', description: 'The sum of these lines before tax.' }),
    tax: t.expose('tax', { type: 'MinorUnits', description: 'The tax on them, rounded.' }),
  }),
})

export const TeamInvoiceType = builder.objectRef<InvoiceRow>('TeamInvoice').implement({
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
      description: 'Whether the invoice is open and its due date is before today, in UTC.',
      resolve: (invoice, _, { now }) => isOverdue(invoice, now()),
    }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true }),
    periodStart: t.expose('periodStart', { type: 'Date', nullable: true }),
    periodEnd: t.expose('periodEnd', { type: 'Date', nullable: true }),
    lines: t.field({
      description:
        'The invoice lines, in the order of the invoice. They are a part of it and have no pages: an imported invoice has at most 1 MiB with its lines. In the cost, each invoice counts as 10 lines.',
      type: [TeamInvoiceLineType],
      resolve: (invoice, _, context) => findLines(context, invoice),
    }),
    taxes: t.field({
      description: 'The tax by rate, the highest rate first; in sum exactly `tax`. One entry without a rate if the lines have no rates.',
      // The field reads the lines.
      complexity: 10,
      type: [InvoiceTaxType],
      resolve: async (invoice, _, context) => calculateTaxes(await findLines(context, invoice), invoice),
    }),
  }),
})

const InvoiceOrderType = orderByType('InvoiceOrder', 'invoices', {
  date: 'The invoice date.',
  day: 'The invoice date; within a day, the invoice number.',
  due: 'The due date.',
  number: 'The invoice number.',
  total: 'The total amount in minor units. Amounts of several currencies are not converted; the filter `currency` selects one.',
} satisfies Record<InvoiceOrder, string>)

const TeamInvoicePage = pageType('TeamInvoicePage', TeamInvoiceType)
const TeamInvoiceConnection = connectionType('TeamInvoice', TeamInvoiceType)
for (const list of [TeamInvoicePage, TeamInvoiceConnection])
  builder.objectField(list, 'sums', (t) =>
    t.field({
      description: 'Amounts of the whole list by currency. The arguments `status` and `overdue` do not limit them.',
      // The field reads every invoice of the list.
      complexity: { field: 10, multiplier: 1 },
      type: [InvoiceSumType],
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the fields with these types return no other objects
      resolve: (page, _, context) => loadSums(context, page as object as OfList<InvoiceFilters>),
    }),
  )

const currencyRules = z.object({
  currency: z
    .string()
    .regex(/^[a-z]{3}$/i, 'The :attribute field must be an ISO 4217 code.')
    .nullish(),
})
const parseCurrency = (input: string | null | undefined) => parse(currencyRules, { currency: input }).currency?.toLowerCase() ?? null

/** The requirement for reading invoices and their totals. */
export const requires = { scopes: ['acct:team:invoices:read'], roles: ['owner', 'billing'] } as const

builder.objectFields(TeamType, (t) => ({
  ...listFields(t, 'invoices', {
    description: 'All invoices issued to the team.',
    page: TeamInvoicePage,
    connection: TeamInvoiceConnection,
    requires,
    list: invoiceList,
    args: {
      appId: t.arg({ type: ApplicationType, description: 'Only invoices of this product.' }),
      status: t.arg({ type: StatusType, description: 'Only invoices with this status.' }),
      overdue: t.arg.boolean({ description: 'True for open invoices whose due date is before today, in UTC, and false for the others.' }),
      currency: t.arg.string({ description: 'Only invoices in this currency, an ISO 4217 code in upper or lower case.' }),
      since: t.arg({ type: 'Date', description: 'First invoice date; default: no limit.' }),
      until: t.arg({ type: 'Date', description: 'Last invoice date; default: no limit.' }),
      dueSince: t.arg({ type: 'Date', description: 'First due date, without invoices that have none; default: no limit.' }),
      dueUntil: t.arg({ type: 'Date', description: 'Last due date, without invoices that have none; default: no limit.' }),
      search: t.arg.string({
        description:
          'Only invoices whose number or product contains this text, in upper or lower case, or whose total or amount due it is: `1234.5`, `€1,234.50`.',
      }),
      orderBy: t.arg({ type: InvoiceOrderType, description: 'The order; default by invoice date, latest first.' }),
    },
    query({ orderBy, search, currency, ...filters }) {
      requireRange(filters.since, filters.until)
      requireRange(filters.dueSince, filters.dueUntil, 'dueUntil')
      return {
        filters: { ...filters, currency: parseCurrency(currency), search: invoiceSearch(search) },
        orderBy: orderBy ?? { field: 'date', direction: 'desc' },
      }
    },
  }),
  invoice: t.field({
    description: 'One invoice.',
    type: TeamInvoiceType,
    requires,
    args: { id: t.arg.id({ required: true, description: 'The invoice’s identifier.' }) },
    resolve: async (team, args, context) => {
      const id = parseIdentifier(args.id, ['TeamInvoice'], team)
      const invoice = isIdentifier(id) ? await findInvoice(context, team.id, id) : null
      if (!invoice) throw notFound()
      return invoice
    },
  }),
}))
