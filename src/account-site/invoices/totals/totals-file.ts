import { csvFile } from '../../../web/files/csv.ts'
import { formatDecimal } from '../../../web/money.ts'
import { download } from '../../framework/download.ts'
import { InvoicesByMonthDocument } from '../../generated/operations.ts'
import { groupByYear, listSeries, periodOfTotals } from './yearly-totals.ts'

/** A CSV file of the page of totals: one row for each currency and month. */
export const totalsFile = download({
  path: '/teams/:team/invoice-totals.csv',
  document: InvoicesByMonthDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...periodOfTotals(ctx.site.now()) }),
  async file({ team }, ctx) {
    const years = groupByYear(team.invoiceTotals, ctx.site.now())
    const series = listSeries(team.invoiceTotals)
    const rows = years.flatMap(({ currency, months }) => months.map((month) => ({ currency, month })))
    const names = ['Currency', 'Month', 'Total', ...series.map(({ name }) => name)]
    const csv = await csvFile(names, rows, ({ currency, month }) => [
      currency.toUpperCase(),
      month.month.slice(0, 7),
      ...[month.total, ...series.map(({ amountIn }) => amountIn(month))].map((amount) => formatDecimal(amount, currency)),
    ])
    return { name: `${ctx.param('team')}-invoice-totals-${ctx.site.now().toISOString().slice(0, 10)}.csv`, ...csv }
  },
})
