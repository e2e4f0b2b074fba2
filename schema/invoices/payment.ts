import type { InvoiceStatus } from '../../prisma/generated/client/enums.ts'

// These values are derived from the stored amounts, dates and state of an invoice. Every interface shows these values; none computes them
// again (docs/decisions/resources.md#invoice).

interface Amounts {
  status: InvoiceStatus
  subtotal: number
  tax: number
  amountPaid: number
}

/** Returns the total and the amount that remains to be paid, which is zero for a void invoice. */
export function calculateAmounts({ status, subtotal, tax, amountPaid }: Amounts): { total: number; amountDue: number } {
  const total = subtotal + tax
  return { total, amountDue: status === 'void' ? 0 : total - amountPaid }
}

/** Returns the values of an invoice for audit entries, and so for events. */
export const invoiceValues = (invoice: Amounts & { currency: string; dueDate: string | null }) => ({
  status: invoice.status,
  currency: invoice.currency,
  ...calculateAmounts(invoice),
  dueDate: invoice.dueDate,
})

/** Returns true if the invoice is open and was due before today, in UTC. */
export const isOverdue = ({ status, dueDate }: { status: InvoiceStatus; dueDate: string | null }, now: Date): boolean =>
  status === 'open' && dueDate !== null && dueDate < now.toISOString().slice(0, 10)
