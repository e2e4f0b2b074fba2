import { page } from '../../framework/page.ts'
import { InvoicesByMonthDocument } from '../../generated/operations.ts'
import type { PageContext } from '../../framework/page-context.ts'
import { Chart, Legend } from './chart.tsx'
import { formatMoney } from '../../../web/money.ts'
import { periodOfTotals, sumMonths, groupByYear } from './yearly-totals.ts'
import type { Year } from './yearly-totals.ts'
import { TotalsTable } from './totals-table.tsx'

/** The amounts invoiced to a team in the last twelve months, in one currency. */
export const invoicesByMonth = page({
  path: '/teams/:team/invoices/by-month',
  title: 'Totals by month',
  nav: { group: 'billing', icon: 'chart', order: 10 },
  document: InvoicesByMonthDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...periodOfTotals(ctx.site.now()) }),
  view: ({ team }, ctx) => <TwelveMonths years={groupByYear(team.invoiceTotals, ctx.site.now())} ctx={ctx} />,
})

/** The chart and the table of one currency, with links to the others. */
function TwelveMonths({ years, ctx: { path, query, param, supportSession } }: { years: readonly Year[]; ctx: PageContext }) {
  const year = years.find(({ currency }) => currency === query.get('currency')) ?? years[0]
  if (!year) return <p class="empty">The team was not invoiced in the last twelve months.</p>
  return (
    <section class="data" aria-labelledby="year">
      {years.length > 1 && (
        <nav class="segments" aria-label="Currency">
          {years.map(({ currency, months }) => (
            <a href={`${path}?currency=${currency}`} aria-current={currency === year.currency ? 'true' : undefined}>
              <span>{`${currency.toUpperCase()} ${formatMoney(sumMonths(months), currency)}`}</span>
            </a>
          ))}
        </nav>
      )}
      <div class="heading">
        <h2 id="year">{`Last twelve months in ${year.currency.toUpperCase()}`}</h2>
        {!supportSession && (
          <p class="actions screen">
            <a class="button second" href={`/teams/${param('team')}/invoice-totals.csv`}>
              Export as CSV
            </a>
          </p>
        )}
      </div>
      <Chart year={year} />
      <Legend year={year} />
      <TotalsTable year={year} />
      <p class="hint">By invoice date, paid or not. Void invoices are not included. Amounts by product are before tax.</p>
    </section>
  )
}
