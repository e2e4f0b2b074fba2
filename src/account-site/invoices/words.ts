import type { Application, InvoiceStatus } from '../generated/operations.ts'

/** What an invoice's status means, in words. */
export const statusWords: Record<InvoiceStatus, string> = {
  OPEN: 'Open',
  PAID: 'Paid',
  UNCOLLECTIBLE: 'Uncollectible',
  VOID: 'Void',
}

/** Names of the products, in their order. */
export const appNames: Record<Application, string> = {
  DOMAIN: 'Domain',
  CERT: 'Cert',
  DEPLOY: 'Deploy',
  SHORTENER: 'Shortener',
  FLOW: 'Flow',
  BACKUP: 'Backup',
  SOCKET: 'Socket',
  BILLING: 'Billing',
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })

/** `1 Sep 2026`, of a date or an instant. */
export const dayOf = (at: string): string => day.format(new Date(at))

/** `Sep 2026`, of a date. */
export const monthOf = (date: string): string => month.format(new Date(date))

/** `1 Sep 2026 – 30 Sep 2026`, what is known of it; null for neither. */
export function periodOf({ periodStart: start, periodEnd: end }: { periodStart: string | null; periodEnd: string | null }): string | null {
  if (start && end) return `${dayOf(start)} – ${dayOf(end)}`
  return start ? `from ${dayOf(start)}` : end ? `until ${dayOf(end)}` : null
}
