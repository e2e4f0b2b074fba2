import { ApplicationType } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { requireRange } from './date-range.ts'
import { totalsBetween } from './totals-query.ts'
import type { AppTotalRow, MonthTotalRow } from './totals-query.ts'
import { requires } from './invoice.ts'
import { TeamType } from '../teams/team.ts'

// Tax is reported per month only: it belongs to an invoice and not to its lines, so a share for each application would be
// a number that no invoice shows.

const AppTotalType = builder.objectRef<AppTotalRow>('InvoiceAppTotal').implement({
  description: 'The amount invoiced for one application in a month.',
  fields: (t) => ({
    appId: t.expose('appId', {
      type: ApplicationType,
      nullable: true,
      description: 'The application; null for amounts of no application.',
    }),
    subtotal: t.expose('subtotal', { type: 'MinorUnits', description: 'Sum before tax.' }),
  }),
})

const MonthTotalType = builder.objectRef<MonthTotalRow>('InvoiceMonthTotal').implement({
  description: 'The amount invoiced to a team in one month and currency, paid or not. Void invoices do not count.',
  fields: (t) => ({
    month: t.expose('month', { type: 'Date', description: 'First day of the month.' }),
    currency: t.exposeString('currency', { describedBy: 'Invoice.currency' }),
    subtotal: t.expose('subtotal', { type: 'MinorUnits', description: 'Sum before tax; exactly the sum of `apps`.' }),
    tax: t.expose('tax', { type: 'MinorUnits', description: 'Tax of these invoices; it is not divided among applications.' }),
    total: t.expose('total', { type: 'MinorUnits', description: 'Subtotal and tax.' }),
    apps: t.expose('apps', {
      type: [AppTotalType],
      description:
        'The subtotal by application, where a line’s application takes precedence over its invoice’s. In the order of the enum, then amounts of no application; subtotals of 0 are left out.',
    }),
  }),
})

builder.objectFields(TeamType, (t) => ({
  invoiceTotals: t.field({
    description: 'Invoiced amounts by month, currency and application, oldest first. Months without an invoice are not listed.',
    type: [MonthTotalType],
    // It may read every invoice line of the team: the cost allows about twenty of these fields in a document.
    complexity: { field: 2_000, multiplier: 50 },
    requires,
    args: {
      since: t.arg({ type: 'Date', description: 'First invoice date; default: the first day of the month eleven months ago.' }),
      until: t.arg({ type: 'Date', description: 'Last invoice date; default: no limit.' }),
    },
    resolve: (team, { since, until }, { database, now }) => {
      const first = since ?? elevenMonthsBefore(now())
      requireRange(first, until)
      return totalsBetween(database.pool, team.id, first, until ?? null)
    },
  }),
}))

/** The first day of the month eleven months before, so that the range with the current month has twelve months. */
const elevenMonthsBefore = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11)).toISOString().slice(0, 10)
