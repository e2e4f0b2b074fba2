import { getStatusLabel, isCredit } from './invoice-labels.ts'
import type { StatusOfInvoice } from './invoice-labels.ts'

const kinds: Record<StatusOfInvoice['status'], string> = { OPEN: 'info', PAID: 'good', UNCOLLECTIBLE: 'caution', VOID: '' }

/** The status of an invoice. Its word has the same meaning as its colour. */
export const InvoiceStatus = (invoice: StatusOfInvoice) => (
  <span class={`badge ${isCredit(invoice) ? '' : invoice.isOverdue ? 'alert' : kinds[invoice.status]}`.trim()}>
    {getStatusLabel(invoice)}
  </span>
)
