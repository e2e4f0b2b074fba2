import type { Application, InvoicesQuery } from '../generated/operations.ts'
import { appNames } from '../words.ts'

type MonthTotal = NonNullable<InvoicesQuery['team']['invoiceTotals']>[number]

/** Something whose amounts are told apart: an application, what is for none, or tax. */
export interface Series {
  /** Class of its colour and pattern in the stylesheet. */
  key: Lowercase<Application> | 'none' | 'tax'
  name: string
  amountIn(month: MonthTotal): number
}

/** A year of one currency: what a chart draws, and the table beside it says. */
export interface Year {
  currency: string
  /** Those with any amount, in the order of the applications, tax last. */
  series: readonly Series[]
  /** Each of the twelve, with nothing where nothing was invoiced. */
  months: readonly MonthTotal[]
}

const amountOf = (appId: string | null) => (month: MonthTotal) => month.apps.find((app) => app.appId === appId)?.subtotal ?? 0

const allSeries: readonly Series[] = [
  ...(Object.keys(appNames) as Application[]).map((appId) => ({
    key: appId.toLowerCase() as Lowercase<Application>,
    name: appNames[appId],
    amountIn: amountOf(appId),
  })),
  { key: 'none', name: 'No application', amountIn: amountOf(null) },
  { key: 'tax', name: 'Tax', amountIn: ({ tax }) => tax },
]

/** The first days of the twelve months up to that of `now`, oldest first. */
export const twelveMonths = (now: Date): string[] =>
  Array.from({ length: 12 }, (_, index) => dayText(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11 + index)))

/** The days between which invoices of these months are: `since` and `until` of the query. */
export function daysOf(now: Date): { since: string; until: string } {
  return {
    since: dayText(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11)),
    until: dayText(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)),
  }
}

/** The totals currency by currency, those with the most invoiced months first. */
export function yearsOf(totals: readonly MonthTotal[], now: Date): Year[] {
  const byCurrency = Map.groupBy(totals, ({ currency }) => currency)
  const years = Array.from(byCurrency, ([currency, ofCurrency]) => ({
    currency,
    series: allSeries.filter(({ amountIn }) => ofCurrency.some((month) => amountIn(month) !== 0)),
    months: twelveMonths(now).map(
      (month) => ofCurrency.find((total) => total.month === month) ?? { month, currency, subtotal: 0, tax: 0, total: 0, apps: [] },
    ),
  }))
  return years.sort((one, other) => invoiced(other) - invoiced(one) || one.currency.localeCompare(other.currency, 'en'))
}

const invoiced = ({ months }: Year) => months.filter(({ total }) => total !== 0).length

const dayText = (instant: number) => new Date(instant).toISOString().slice(0, 10)
