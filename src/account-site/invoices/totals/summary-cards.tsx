import { FigureCard } from '../../../web/components/facts.tsx'
import type { PageContext } from '../../framework/page-context.ts'
import type { SumPartsFragment } from '../../generated/operations.ts'
import { addressWith } from '../../table/address.ts'
import { formatMoney } from '../../../web/money.ts'

export type Sums = readonly SumPartsFragment[]
type Amount = 'outstanding' | 'overdue' | 'paidThisYear'

interface AmountCardProps {
  title: string
  sums: Sums
  amount: Amount
  link: string
  /** True if the whole amount is overdue. */
  isAllOverdue?: boolean
}

const sumCounts = (sums: Sums, amount: Amount) => sums.reduce((count, sum) => count + sum[`${amount}Count`], 0)

/** Returns true if the outstanding and the overdue sums are the same. */
export const allOverdue = (sums: Sums) => sumCounts(sums, 'overdue') > 0 && sumCounts(sums, 'overdue') === sumCounts(sums, 'outstanding')

export const AllOverdue = () => <span class="badge alert">All overdue</span>

/** The number of some invoices and their amounts, with one line for each currency. */
export const AmountCard = ({ title, sums, amount, link, isAllOverdue = false }: AmountCardProps) => {
  const count = sumCounts(sums, amount)
  const shown = sums.filter((sum) => sum[`${amount}Count`] > 0)
  return (
    <FigureCard id={amount} title={title} link={link} figure={count === 0 && 'None'}>
      {shown.map((sum) => (
        <p class="figure money">{formatMoney(sum[amount], sum.currency)}</p>
      ))}
      {count > 0 && (
        <p class="hint">
          {count === 1 ? '1 invoice' : `${count.toLocaleString('en')} invoices`} {isAllOverdue && <AllOverdue />}
        </p>
      )}
    </FigureCard>
  )
}

/**
 * The amounts of the list for each status, whatever the search. Each card leads to the list of its status, without the search. No two cards
 * show the same invoices.
 */
export const SummaryCards = ({ sums, ctx: { path, query } }: { sums: Sums; ctx: PageContext }) => {
  const filters = new URLSearchParams(query)
  filters.delete('search')
  const linkTo = (status: string) => addressWith(path, filters, { status })
  const isAllOverdue = allOverdue(sums)
  return (
    <div class="overview sums">
      <AmountCard title="Outstanding" sums={sums} amount="outstanding" link={linkTo('OPEN')} isAllOverdue={isAllOverdue} />
      {!isAllOverdue && <AmountCard title="Overdue" sums={sums} amount="overdue" link={linkTo('OVERDUE')} />}
      <AmountCard title="Paid this year" sums={sums} amount="paidThisYear" link={linkTo('PAID')} />
    </div>
  )
}
