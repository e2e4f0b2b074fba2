import { InvoiceStatus } from '../prisma/generated/client/enums.ts'
import { ApplicationType, enumType } from './application.ts'
import { builder } from './builder.ts'
import { about } from './description.ts'
import { notFound } from './errors.ts'
import { findInvoice, invoicePage } from './invoice-statements.ts'
import type { InvoiceRow, LineRow, SortDirection } from './invoice-statements.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { TeamType } from './team.ts'
import { isIdentifier } from './validation.ts'

const StatusType = enumType('InvoiceStatus', 'Where an invoice stands.', InvoiceStatus)
const SortDirectionType = enumType('SortDirection', 'Direction of a sort: `DESC` is newest first.', {
  asc: 'asc',
  desc: 'desc',
} satisfies Record<string, SortDirection>)

const TeamInvoiceLineType = builder.objectRef<LineRow>('TeamInvoiceLine').implement({
  description: about('InvoiceLine'),
  fields: (t) => ({
    id: t.exposeID('id', { description: about('InvoiceLine.id') }),
    appId: t.expose('appId', { type: ApplicationType, nullable: true, description: about('InvoiceLine.application') }),
    description: t.exposeString('description', { description: about('InvoiceLine.description') }),
    quantity: t.exposeInt('quantity', { description: about('InvoiceLine.quantity') }),
    unitAmount: t.expose('unitAmount', { type: 'MinorUnits', description: about('InvoiceLine.unitAmount') }),
    amount: t.expose('amount', { type: 'MinorUnits', description: 'Quantity times price.' }),
    currency: t.exposeString('currency', { description: about('Invoice.currency') }),
    periodStart: t.expose('periodStart', { type: 'Date', nullable: true, description: about('InvoiceLine.periodStart') }),
    periodEnd: t.expose('periodEnd', { type: 'Date', nullable: true, description: about('InvoiceLine.periodEnd') }),
  }),
})

const TeamInvoiceType = builder.objectRef<InvoiceRow>('TeamInvoice').implement({
  description: about('Invoice'),
  fields: (t) => ({
    id: t.exposeID('id', { description: about('Invoice.id') }),
    number: t.exposeString('number', { description: about('Invoice.number') }),
    appId: t.expose('appId', { type: ApplicationType, nullable: true, description: about('Invoice.application') }),
    status: t.expose('status', { type: StatusType, description: about('Invoice.status') }),
    currency: t.exposeString('currency', { description: about('Invoice.currency') }),
    subtotal: t.expose('subtotal', { type: 'MinorUnits', description: about('Invoice.subtotal') }),
    tax: t.expose('tax', { type: 'MinorUnits', description: about('Invoice.tax') }),
    total: t.expose('total', { type: 'MinorUnits', description: 'Subtotal and tax.' }),
    amountDue: t.expose('amountDue', { type: 'MinorUnits', description: 'Total less what has been paid.' }),
    amountPaid: t.expose('amountPaid', { type: 'MinorUnits', description: about('Invoice.amountPaid') }),
    invoiceDate: t.expose('invoiceDate', { type: 'Date', description: about('Invoice.invoiceDate') }),
    dueDate: t.expose('dueDate', { type: 'Date', nullable: true, description: about('Invoice.dueDate') }),
    paidAt: t.expose('paidAt', { type: 'DateTime', nullable: true, description: about('Invoice.paidAt') }),
    periodStart: t.expose('periodStart', { type: 'Date', nullable: true, description: about('Invoice.periodStart') }),
    periodEnd: t.expose('periodEnd', { type: 'Date', nullable: true, description: about('Invoice.periodEnd') }),
    lines: t.field({
      description: 'The invoice lines, in their order on the invoice.',
      type: [TeamInvoiceLineType],
      resolve: (invoice) => invoice.lines(),
    }),
  }),
})

/** What reading invoices needs, one by one or summed up. */
export const requires = { scopes: ['acct:team:invoices:read'], roles: ['owner', 'billing'] } as const

builder.objectFields(TeamType, (t) => ({
  invoices: t.field({
    description: 'All invoices issued to the team, by invoice date.',
    type: pageType('TeamInvoicePage', TeamInvoiceType),
    complexity: listComplexity,
    requires,
    args: {
      ...pageArguments,
      appId: t.arg({ type: ApplicationType, description: 'Only invoices of this application.' }),
      sort: t.arg({ type: SortDirectionType, description: 'Direction of the invoice date; `DESC` unless told.' }),
    },
    resolve: (team, { appId, sort, ...args }, { database }) =>
      invoicePage(database.pool, { teamId: team.id, application: appId, sort: sort ?? 'desc', ...slice(args) }),
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
