import { page } from '../declaration.ts'
import { InvoicesDocument } from '../generated/operations.ts'
import type { InvoicesQuery } from '../generated/operations.ts'
import { askedOf } from './asked.ts'
import { Chart, Legend } from './chart.tsx'
import { InvoiceList } from './list.tsx'
import { daysOf, yearsOf } from './months.ts'
import { TotalsTable } from './totals-table.tsx'

/** The invoices of a team, with what was invoiced in the last twelve months. */
export const invoices = page({
  path: '/teams/:team/invoices',
  title: 'Invoices',
  nav: { in: 'team', label: 'Invoices', order: 60 },
  document: InvoicesDocument,
  variables: (visit) => {
    const { page, app, sort } = askedOf(visit.query)
    // The year is the same on every page: the first shows it, where nothing is left out.
    return { team: visit.param('team'), page, appId: app, sort, withTotals: page === 1 && !app, ...daysOf(visit.site.now()) }
  },
  view: ({ team }, visit) => (
    <>
      {team.invoiceTotals && <Years totals={team.invoiceTotals} now={visit.site.now()} />}
      <InvoiceList path={visit.path} query={visit.query} invoices={team.invoices} />
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
