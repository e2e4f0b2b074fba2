import { page } from '../framework/page.ts'
import { InvoicesDocument } from '../generated/operations.ts'
import type { PageContext } from '../framework/page-context.ts'
import { parseInvoiceFilter } from './invoice-filter.ts'
import { Chart, Legend } from './chart.tsx'
import { InvoiceList } from './invoice-list.tsx'
import { periodOfTotals, yearsOf } from './yearly-totals.ts'
import type { Year } from './yearly-totals.ts'
import { TotalsTable } from './totals-table.tsx'

/** The invoices of a team and the totals of the last twelve months. */
export const invoices = page({
  path: '/teams/:team/invoices',
  title: 'Invoices',
  nav: { section: 'team', label: 'Invoices', order: 60 },
  document: InvoicesDocument,
  variables: (ctx) => {
    const { page, app, sort } = parseInvoiceFilter(ctx.query)
    // Only the first page without a filter shows the totals, since they are the same on every page.
    return { team: ctx.param('team'), page, appId: app, sort, withTotals: page === 1 && !app, ...periodOfTotals(ctx.site.now()) }
  },
  view: ({ team }, ctx) => (
    <>
      <InvoiceList path={ctx.path} query={ctx.query} invoices={team.invoices} />
      {team.invoiceTotals && <TwelveMonths years={yearsOf(team.invoiceTotals, ctx.site.now())} ctx={ctx} />}
    </>
  ),
})

/** The chart and the table of one currency, with links to the others. */
function TwelveMonths({ years, ctx: { path, query } }: { years: readonly Year[]; ctx: PageContext }) {
  const year = years.find(({ currency }) => currency === query.get('currency')) ?? years[0]
  if (!year) return null
  return (
    <section aria-labelledby="year">
      <h2 id="year">{`Last twelve months in ${year.currency.toUpperCase()}`}</h2>
      {years.length > 1 && (
        <nav class="pages" aria-label="Currency">
          {years.map(({ currency }) => (
            <a href={`${path}?currency=${currency}#year`} aria-current={currency === year.currency ? 'true' : undefined}>
              {currency.toUpperCase()}
            </a>
          ))}
        </nav>
      )}
      <div class="year">
        <div>
          <Chart year={year} />
          <Legend year={year} />
        </div>
        <TotalsTable year={year} />
      </div>
      <p class="hint">By invoice date, paid or not. Void invoices are not included. Amounts of products are before tax.</p>
    </section>
  )
}
