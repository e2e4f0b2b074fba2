import { InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { ApplicationType } from '../apps/application.ts'
import { enumType } from '../builder/enum-type.ts'
import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { findInvoice, invoicePage } from './queries.ts'
import type { InvoiceRow, LineRow } from './queries.ts'
import { isOverdue } from './payment.ts'
import { SortDirectionType } from '../builder/sort-direction.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { TeamType } from '../teams/team.ts'
import { isIdentifier } from '../core/validation.ts'

const StatusType = enumType('InvoiceStatus', 'The payment state of an invoice.', InvoiceStatus)
const TeamInvoiceLineType = builder.objectRef<LineRow>('TeamInvoiceLine').implement({
  describedBy: 'InvoiceLine',
  fields: (t) => ({
    id: t.exposeID('id'),
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
    id: t.exposeID('id'),
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

/** The requirement for reading invoices and their totals. */
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
      sort: t.arg({ type: SortDirectionType, description: 'Direction of the invoice date; default `DESC`.' }),
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
