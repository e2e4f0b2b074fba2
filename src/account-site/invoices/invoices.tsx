import { page } from '../framework/page.ts'
import { InvoicesDocument } from '../generated/operations.ts'
import type { InvoicesQuery } from '../generated/operations.ts'
import { parseInvoiceFilter } from './invoice-filter.ts'
import { Chart, Legend } from './chart.tsx'
import { InvoiceList } from './invoice-list.tsx'
import { periodOfTotals, yearsOf } from './yearly-totals.ts'
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
      {team.invoiceTotals && <Years totals={team.invoiceTotals} now={ctx.site.now()} />}
      <InvoiceList path={ctx.path} query={ctx.query} invoices={team.invoices} />
    </>
  ),
})

const Years = ({ totals, now }: { totals: NonNullable<InvoicesQuery['team']['invoiceTotals']>; now: Date }) => (
  <>
    {yearsOf(totals, now).map((year) => (
      <section aria-labelledby={`year-${year.currency}`}>
        <h2 id={`year-${year.currency}`}>{`Last twelve months in ${year.currency.toUpperCase()}`}</h2>
        <div class="year">
          <div>
            <Chart year={year} />
            <Legend year={year} />
          </div>
          <TotalsTable year={year} />
        </div>
        <p class="hint">By invoice date, paid or not; void invoices do not count. Amounts of applications are before tax.</p>
      </section>
    ))}
  </>
)
