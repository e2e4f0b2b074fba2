import type { InvoiceStatus } from '../generated/operations.ts'
import { dayOf } from '../time.tsx'

/** What an invoice's status means, in words. */
export const statusWords: Record<InvoiceStatus, string> = {
  OPEN: 'Open',
  PAID: 'Paid',
  UNCOLLECTIBLE: 'Uncollectible',
  VOID: 'Void',
}

const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `Sep 2026`, of a date. */
export const monthOf = (date: string): string => month.format(new Date(date))

/** `1 Sep 2026 – 30 Sep 2026`, what is known of it; null for neither. */
export function periodOf({ periodStart: start, periodEnd: end }: { periodStart: string | null; periodEnd: string | null }): string | null {
  if (start && end) return `${dayOf(start)} – ${dayOf(end)}`
  return start ? `from ${dayOf(start)}` : end ? `until ${dayOf(end)}` : null
}
