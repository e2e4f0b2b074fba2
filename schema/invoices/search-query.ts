import type { Application, InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { listStatement } from '../builder/list-statement.ts'
import { invoiceColumns } from './stored-invoice.ts'
import type { StoredInvoice } from './stored-invoice.ts'

export type InvoiceOrder = 'date' | 'due' | 'number'

/** The amounts of a list's invoices in one currency. */
export interface InvoiceSum {
  currency: string
  outstanding: number
  outstandingCount: number
  overdue: number
  overdueCount: number
  paidThisYear: number
  paidThisYearCount: number
}

type Values = [
  teamId: string,
  today: string,
  status: InvoiceStatus | null,
  isOverdue: boolean,
  application: Application | null,
  since: string | null,
  until: string | null,
  pattern: string | null,
]

const amountDue = 'subtotal::numeric + tax - amount_paid'
const isOverdue = `status = 'open' AND due_date < $4::date`
const isPaidThisYear = `status = 'paid' AND coalesce((paid_at AT TIME ZONE 'UTC')::date, invoice_date) >= date_trunc('year', $4::date)`
const sumOf = (condition: string, amount: string, name: string) =>
  `coalesce(sum(${amount}) FILTER (WHERE ${condition}), 0)::float8 AS "${name}", count(*) FILTER (WHERE ${condition}) AS "${name}Count"`

const otherFilters = `r.team_id = $3 AND ($7::"Application" IS NULL OR r.application = $7) AND ($10::text IS NULL OR r.number ILIKE $10)
  AND r.invoice_date BETWEEN coalesce($8::date, '-infinity') AND coalesce($9::date, 'infinity')`

/**
 * Reads a page of the invoices that match. The sums by currency ignore the status, since each of them is of one status; they are exact
 * below 2^53, like each amount. An index on the team and the application, on the team, the status and the due date, or on the team and
 * the invoice date finds the rows; numbers are compared after that, since a number can contain the text anywhere.
 */
export const searchInvoices = listStatement<StoredInvoice, InvoiceOrder, Values>({
  name: 'invoice_search',
  matching: `
    SELECT ${invoiceColumns} FROM invoices r WHERE ${otherFilters}
      AND ($5::"InvoiceStatus" IS NULL OR r.status = $5) AND (NOT $6::boolean OR r.status = 'open' AND r.due_date < $4::date)`,
  columns: 'r.*',
  orders: { date: '"invoiceDate"', due: '"dueDate"', number: 'number' },
  aggregate: `
    SELECT json_agg(s ORDER BY s.currency)::text FROM (
      SELECT currency, ${sumOf(`status = 'open'`, amountDue, 'outstanding')}, ${sumOf(isOverdue, amountDue, 'overdue')},
        ${sumOf(isPaidThisYear, 'amount_paid', 'paidThisYear')}
      FROM invoices r WHERE ${otherFilters} GROUP BY currency
    ) s`,
})
