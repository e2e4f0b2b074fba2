import { listCustomerLines } from '../../../schema/invoices/customer.ts'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import type { Brand } from '../../web/brand/brand.ts'
import { defaultTimes } from '../../web/time-format.ts'
import type { InvoiceQuery } from '../generated/operations.ts'
import { getInvoiceProduct, productNames } from '../labels.ts'
import { formatPeriod } from './invoice-labels.ts'
import { formatMoney } from '../../web/money.ts'

// The content of an invoice in its order. Its page and its PDF share it.

export type PrintedTeam = InvoiceQuery['team']
export type PrintedInvoice = PrintedTeam['invoice']
export type PrintedLine = PrintedInvoice['lines'][number]

/** Returns a title such as `Invoice ACME-0042`. A credit note is an invoice with a negative total. */
export const formatTitle = ({ number, total }: Pick<PrintedInvoice, 'number' | 'total'>): string =>
  `${total < 0 ? 'Credit note' : 'Invoice'} ${number}`

interface Party {
  label: string
  /** Lines of the address, of which the first is the name. */
  lines: readonly string[]
}

/** Returns the issuer of the invoice and the customer. */
export const listParties = ({ name, billingDetails }: Pick<PrintedTeam, 'name' | 'billingDetails'>, brand: Brand): Party[] => [
  { label: 'From', lines: [brand.legalName, ...brand.address] },
  { label: 'Bill to', lines: listCustomerLines({ ...billingDetails, name: billingDetails.name ?? name }) },
]

interface FactProps {
  label: string
  /** True for when the amount is due or was paid, which the page shows next to the amount. */
  isPayment?: boolean
}

type Fact = FactProps & ({ kind: 'status' } | { kind: 'day' | 'text'; value: string })

export function listFacts(invoice: PrintedInvoice, times?: TimeSettings): Fact[] {
  const day = (label: string, value: string | null, isPayment = false): Fact[] =>
    value === null ? [] : [{ label, kind: 'day', value, isPayment }]
  const period = formatPeriod(invoice, times)
  return [
    { label: 'Status', kind: 'status' },
    ...day('Invoice date', invoice.invoiceDate),
    ...day('Due', invoice.dueDate, true),
    ...day('Paid', invoice.paidAt, true),
    ...(period === null ? [] : [{ label: 'Period', kind: 'text' as const, value: period }]),
    { label: 'Product', kind: 'text', value: getInvoiceProduct(invoice) },
  ]
}

interface Column {
  title: string
  text(line: PrintedLine): string
}

/** Returns the columns after the description. They include the rates if the lines have rates. */
export function listColumns({ currency, lines }: Pick<PrintedInvoice, 'currency' | 'lines'>): Column[] {
  const hasRates = lines.some(({ taxRate }) => taxRate !== null)
  return [
    { title: 'Quantity', text: ({ quantity }) => quantity.toLocaleString('en') },
    { title: 'Unit price', text: ({ unitAmount }) => formatMoney(unitAmount, currency) },
    ...(hasRates ? [{ title: 'Tax', text: ({ taxRate }: PrintedLine) => (taxRate === null ? '' : `${taxRate}%`) }] : []),
    { title: 'Amount', text: ({ amount }) => formatMoney(amount, currency) },
  ]
}

/** Returns the product and the period of a line, which appear below its description. */
export const formatLineDetails = (line: PrintedLine, times: TimeSettings = defaultTimes): string =>
  [line.appId && productNames[line.appId], formatPeriod(line, times)].filter(Boolean).join(' · ')

interface Total {
  label: string
  amount: string
  isMain?: true
}

/** Returns the amounts below the lines, with the tax by rate. */
export function listTotals({ currency, status, subtotal, taxes, total, amountPaid, amountDue }: PrintedInvoice): Total[] {
  const money = (amount: number) => formatMoney(amount, currency)
  return [
    { label: 'Subtotal', amount: money(subtotal) },
    ...taxes.map(({ rate, net, tax }) => ({ label: rate === null ? 'Tax' : `Tax ${rate}% on ${money(net)}`, amount: money(tax) })),
    { label: 'Total', amount: money(total), isMain: true },
    { label: 'Paid', amount: money(amountPaid) },
    // A void invoice and a credit note have no amount due, because an amount would invite the customer to pay it.
    ...(status === 'VOID' || total < 0 ? [] : [{ label: 'Amount due', amount: money(amountDue), isMain: true as const }]),
  ]
}

/** Returns how to pay the amount due. Empty if nothing is due, or the operator has no payment instructions. */
export const listPaymentLines = ({ status, amountDue }: PrintedInvoice, { paymentText }: Brand): readonly string[] =>
  status === 'OPEN' && amountDue > 0 ? paymentText : []
