import type { Application, InvoicesByMonthQuery } from '../../generated/operations.ts'
import { productNames, applicationIds } from '../../labels.ts'

type InvoiceTotal = InvoicesByMonthQuery['team']['invoiceTotals'][number]
/** The totals of one month. */
type MonthTotal = InvoiceTotal & { month: string }

/** A series of a chart: an application, amounts without an application, or tax. */
export interface Series {
  /** Name of its colour in the stylesheet and of its pattern. */
  key: Lowercase<Application> | 'none' | 'tax'
  name: string
  amountIn(month: InvoiceTotal): number
}

/** Twelve months in one currency, for the chart and its table. */
export interface Year {
  currency: string
  /** The series with any amount, in the order of the applications. Tax is last. */
  series: readonly Series[]
  /** All twelve months. A month without invoices has zero amounts. */
  months: readonly MonthTotal[]
}

const getAmount = (appId: string | null) => (month: InvoiceTotal) => month.apps.find((app) => app.appId === appId)?.subtotal ?? 0

const seriesKeys = {
  DOMAIN: 'domain',
  CERT: 'cert',
  DEPLOY: 'deploy',
  SHORTENER: 'shortener',
  FLOW: 'flow',
  BACKUP: 'backup',
  SOCKET: 'socket',
  BILLING: 'billing',
} as const satisfies Record<Application, Lowercase<Application>>

const allSeries: readonly Series[] = [
  ...applicationIds.map((appId) => ({
    key: seriesKeys[appId],
    name: productNames[appId],
    amountIn: getAmount(appId),
  })),
  { key: 'none', name: 'Other', amountIn: getAmount(null) },
  { key: 'tax', name: 'Tax', amountIn: ({ tax }) => tax },
]

/** Returns the first day of each of the twelve months up to the current one, oldest first. */
const twelveMonths = (now: Date): string[] =>
  Array.from({ length: 12 }, (_, index) => formatDate(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11 + index)))

/** Returns the first and the last day of the twelve months, as `since` and `until` of the query. */
export function periodOfTotals(now: Date): { since: string; until: string } {
  return {
    since: formatDate(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11)),
    until: formatDate(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)),
  }
}

/** Returns the series with any amount in the totals. */
export const listSeries = (totals: readonly InvoiceTotal[]): Series[] =>
  allSeries.filter(({ amountIn }) => totals.some((month) => amountIn(month) !== 0))

/** Groups the totals by currency. The currency with the most invoiced months is first. */
export function groupByYear(totals: readonly InvoiceTotal[], now: Date): Year[] {
  const byCurrency = Map.groupBy(totals, ({ currency }) => currency)
  const years = Array.from(byCurrency, ([currency, monthTotals]) => ({
    currency,
    series: listSeries(monthTotals),
    months: twelveMonths(now).map((month) => {
      const total = monthTotals.find((each) => each.month === month)
      return { month, currency, subtotal: total?.subtotal ?? 0, tax: total?.tax ?? 0, total: total?.total ?? 0, apps: total?.apps ?? [] }
    }),
  }))
  return years.sort(
    (one, other) => countInvoicedMonths(other) - countInvoicedMonths(one) || one.currency.localeCompare(other.currency, 'en'),
  )
}

/** Returns the amount invoiced in all of the months. */
export const sumMonths = (months: Year['months']): number => months.reduce((sum, { total }) => sum + total, 0)

const countInvoicedMonths = ({ months }: Year) => months.filter(({ total }) => total !== 0).length

const formatDate = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10)
