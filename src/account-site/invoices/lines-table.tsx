import type { InvoiceQuery } from '../generated/operations.ts'
import { useTimes } from '../../web/components/time.tsx'
import { Table } from '../../web/components/table.tsx'
import { formatMoney } from './money.ts'
import { productNames } from '../labels.ts'
import { formatPeriod } from './labels.ts'

type Invoice = InvoiceQuery['team']['invoice']

/** The lines of an invoice and its totals. */
export const LinesTable = ({ lines, status, currency, subtotal, tax, total, amountPaid, amountDue }: Invoice) => (
  <Table label="Table of lines">
    <thead>
      <tr>
        <th scope="col">Description</th>
        <th scope="col" class="amount">
          Quantity
        </th>
        <th scope="col" class="amount">
          Unit price
        </th>
        <th scope="col" class="amount">
          Amount
        </th>
      </tr>
    </thead>
    <tbody>
      {lines.map((line) => (
        <tr>
          <td class="words">
            <bdi>{line.description}</bdi>
            <LineDetails line={line} />
          </td>
          <td class="amount" data-label="Quantity">
            {line.quantity.toLocaleString('en')}
          </td>
          <td class="amount" data-label="Unit price">
            {formatMoney(line.unitAmount, currency)}
          </td>
          <td class="amount" data-label="Amount">
            {formatMoney(line.amount, currency)}
          </td>
        </tr>
      ))}
    </tbody>
    <tfoot>
      <TotalRow label="Subtotal" amount={formatMoney(subtotal, currency)} />
      <TotalRow label="Tax" amount={formatMoney(tax, currency)} />
      <TotalRow label="Total" amount={formatMoney(total, currency)} isMain />
      <TotalRow label="Paid" amount={formatMoney(amountPaid, currency)} />
      {status !== 'VOID' && <TotalRow label="Amount due" amount={formatMoney(amountDue, currency)} isMain />}
    </tfoot>
  </Table>
)

function LineDetails({ line }: { line: Invoice['lines'][number] }) {
  const details = [line.appId && productNames[line.appId], formatPeriod(line, useTimes())].filter(Boolean).join(' · ')
  return details ? <small class="about">{details}</small> : null
}

const TotalRow = ({ label, amount, isMain = false }: { label: string; amount: string; isMain?: boolean }) => (
  <tr>
    <th scope="row" colSpan={3} class="amount">
      {label}
    </th>
    <td class="amount">{isMain ? <strong>{amount}</strong> : amount}</td>
  </tr>
)
