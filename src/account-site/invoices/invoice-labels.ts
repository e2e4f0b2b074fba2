import type { InvoiceStatus } from '../generated/operations.ts'
import { defaultTimes, formatDate } from '../../web/time-format.ts'

export const statusLabels: Record<InvoiceStatus, string> = {
  OPEN: 'Open',
  PAID: 'Paid',
  UNCOLLECTIBLE: 'Uncollectible',
  VOID: 'Void',
}

/** Returns true for a credit note that is in effect. The team owes nothing for it, whether or not the operator has settled it. */
export const isCredit = ({ status, total }: Pick<StatusOfInvoice, 'status' | 'total'>): boolean =>
  total < 0 && (status === 'OPEN' || status === 'PAID')

/** Returns the word for the status of an invoice. An open one past its due date is overdue. */
export const getStatusLabel = (invoice: StatusOfInvoice): string =>
  isCredit(invoice) ? 'Credit' : invoice.isOverdue ? 'Overdue' : statusLabels[invoice.status]

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** Formats the month of a date: `Sep 2026`. */
export const formatMonth = (date: string): string => monthFormat.format(new Date(date))

/** Formats a period: `1 Sep 2026 – 30 Sep 2026`, `from …` or `until …`. Null if it has neither date. */
export function formatPeriod({ periodStart, periodEnd }: Period, times = defaultTimes): string | null {
  const [start, end] = [periodStart, periodEnd].map((day) => (day === null ? null : formatDate(day, times)))
  if (start && end) return `${start} – ${end}`
  return start ? `from ${start}` : end ? `until ${end}` : null
}

/** What decides the word for the status of an invoice. */
export interface StatusOfInvoice {
  status: InvoiceStatus
  isOverdue: boolean
  total: number
}

interface Period {
  periodStart: string | null
  periodEnd: string | null
}
