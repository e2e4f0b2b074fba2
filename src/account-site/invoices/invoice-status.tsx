import type { InvoiceStatus as Status } from '../generated/operations.ts'
import { getStatusLabel } from './invoice-labels.ts'

const kinds: Record<Status, string> = { OPEN: 'info', PAID: 'good', UNCOLLECTIBLE: 'caution', VOID: '' }

/** The status of an invoice. Its word has the same meaning as its colour. */
export const InvoiceStatus = (invoice: { status: Status; isOverdue: boolean }) => (
  <span class={`badge ${invoice.isOverdue ? 'alert' : kinds[invoice.status]}`}>{getStatusLabel(invoice)}</span>
)
