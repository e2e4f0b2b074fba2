import type { Application, InvoiceStatus } from '../../prisma/generated/client/enums.ts'

/** An invoice as statements select it: instants and dates are text. */
export interface StoredInvoice {
  id: string
  teamId: string
  number: string
  appId: Application | null
  status: InvoiceStatus
  currency: string
  subtotal: number
  tax: number
  amountPaid: number
  invoiceDate: string
  dueDate: string | null
  paidAt: string | null
  periodStart: string | null
  periodEnd: string | null
}

/** The columns of a stored invoice, from row `r` of the table. */
export const invoiceColumns = `r.id, r.team_id AS "teamId", r.number, r.application AS "appId", r.status, r.currency, r.subtotal, r.tax, r.amount_paid AS "amountPaid",
  r.invoice_date AS "invoiceDate", r.due_date AS "dueDate", r.paid_at AS "paidAt", r.period_start AS "periodStart", r.period_end AS "periodEnd"`
