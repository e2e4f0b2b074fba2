import { Table } from '../../../web/components/lists/table.tsx'
import { formatMoney } from '../../../web/money.ts'
import type { Year } from './yearly-totals.ts'
import { formatMonth } from '../invoice-labels.ts'

/**
 * A table of the amounts of a chart in the same order, with their sums. The total is the first column, so that it is visible in a small
 * window without scrolling.
 */
export function TotalsTable({ year: { currency, series, months } }: { year: Year }) {
  const money = (amount: number) => (amount === 0 ? '–' : formatMoney(amount, currency))
  const sum = (amounts: readonly number[]) =>
    formatMoney(
      amounts.reduce((total, amount) => total + amount, 0),
      currency,
    )
  return (
    <Table label={`Amounts in ${currency.toUpperCase()}`} isDense>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col" class="amount">
            Total
          </th>
          {series.map(({ name }) => (
            <th scope="col" class="amount">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {months.map((month) => (
          <tr>
            <th scope="row">{formatMonth(month.month)}</th>
            <td class="amount" data-label="Total">
              {money(month.total)}
            </td>
            {series.map(({ name, amountIn }) => (
              <td class="amount" data-label={name}>
                {money(amountIn(month))}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <td class="amount" data-label="Total">
            {sum(months.map(({ total }) => total))}
          </td>
          {series.map(({ name, amountIn }) => (
            <td class="amount" data-label={name}>
              {sum(months.map(amountIn))}
            </td>
          ))}
        </tr>
      </tfoot>
    </Table>
  )
}
