import type { InvoiceStatus as Status } from '../generated/operations.ts'
import { statusLabels } from './labels.ts'

const kinds: Record<Status, string> = { OPEN: 'info', PAID: 'good', UNCOLLECTIBLE: 'caution', VOID: '' }

/** The status of an invoice; an open one past its due date is overdue. Its word says the same as its colour. */
export const InvoiceStatus = ({ status, isOverdue }: { status: Status; isOverdue: boolean }) => (
  <span class={`badge ${isOverdue ? 'alert' : kinds[status]}`}>{isOverdue ? 'Overdue' : statusLabels[status]}</span>
)
