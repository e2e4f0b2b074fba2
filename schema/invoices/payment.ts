import type { InvoiceStatus } from '../../prisma/generated/client/enums.ts'

// What follows from the stored amounts, dates and state of an invoice. Every interface shows these values; none computes
// them again (docs/decisions/resources.md#invoice).

interface Amounts {
  status: InvoiceStatus
  subtotal: number
  tax: number
  amountPaid: number
}

/** The total, and what remains to be paid of it: nothing for a void invoice. */
export function amountsOf({ status, subtotal, tax, amountPaid }: Amounts): { total: number; amountDue: number } {
  const total = subtotal + tax
  return { total, amountDue: status === 'void' ? 0 : total - amountPaid }
}

/** What audit entries, and so events, say of an invoice. */
export const invoiceValues = (invoice: Amounts & { currency: string; dueDate: string | null }) => ({
  status: invoice.status,
  currency: invoice.currency,
  ...amountsOf(invoice),
  dueDate: invoice.dueDate,
})

/** Whether the invoice is open and was due before today, in UTC. */
export const isOverdue = ({ status, dueDate }: { status: InvoiceStatus; dueDate: string | null }, now: Date): boolean =>
  status === 'open' && dueDate !== null && dueDate < now.toISOString().slice(0, 10)
