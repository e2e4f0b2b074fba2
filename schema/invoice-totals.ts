import { ApplicationType } from './application.ts'
import { builder } from './builder.ts'
import { about } from './description.ts'
import { invalid } from './errors.ts'
import { totalsBetween } from './invoice-totals-statement.ts'
import type { AppTotalRow, MonthTotalRow } from './invoice-totals-statement.ts'
import { requires } from './invoice.ts'
import { TeamType } from './team.ts'

// Tax stands apart, once for a month: it is the invoice's and not its lines', and a share of it for each application
// would be a number that stands on no invoice.

const AppTotalType = builder.objectRef<AppTotalRow>('InvoiceAppTotal').implement({
  description: 'What was invoiced for one application in a month.',
  fields: (t) => ({
    appId: t.expose('appId', { type: ApplicationType, nullable: true, description: 'The application; null for what is for none.' }),
    subtotal: t.expose('subtotal', { type: 'MinorUnits', description: 'Sum before tax.' }),
  }),
})

const MonthTotalType = builder.objectRef<MonthTotalRow>('InvoiceMonthTotal').implement({
  description: 'What was invoiced to a team in one month and currency, whether paid or not. Void invoices do not count.',
  fields: (t) => ({
    month: t.expose('month', { type: 'Date', description: 'First day of the month of the invoice dates.' }),
    currency: t.exposeString('currency', { description: about('Invoice.currency') }),
    subtotal: t.expose('subtotal', { type: 'MinorUnits', description: 'Sum before tax; that of `apps`, exactly.' }),
    tax: t.expose('tax', { type: 'MinorUnits', description: 'Tax of these invoices, which no application shares.' }),
    total: t.expose('total', { type: 'MinorUnits', description: 'Subtotal and tax.' }),
    apps: t.expose('apps', {
      type: [AppTotalType],
      description:
        'The subtotal by application: that of the line, else that of the invoice; in the order of the enum, what is for none last, without those that come to 0.',
    }),
  }),
})

builder.objectFields(TeamType, (t) => ({
  invoiceTotals: t.field({
    description: 'What was invoiced by month, currency and application, oldest first. Months without an invoice are not listed.',
    type: [MonthTotalType],
    // It may read every line there is: a document asks for some twenty at most.
    complexity: { field: 2_000, multiplier: 50 },
    requires,
    args: {
      since: t.arg({ type: 'Date', description: 'First invoice date; unless told, the first day of the month eleven months ago.' }),
      until: t.arg({ type: 'Date', description: 'Last invoice date; open unless told.' }),
    },
    resolve: (team, { since, until }, { database, now }) => {
      const first = since ?? elevenMonthsBefore(now())
      // Dates compare as text.
      if (until && until < first) throw invalid({ until: [`The until field must be a date after or equal to ${first}.`] })
      return totalsBetween(database.pool, team.id, first, until ?? null)
    },
  }),
}))

/** The first day of the month eleven months before: with the present one they are twelve. */
const elevenMonthsBefore = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11)).toISOString().slice(0, 10)
