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

const isOverdue = `(status = 'open' AND "dueDate" < $4::date)`
const isPaidThisYear = `(status = 'paid' AND coalesce(("paidAt" AT TIME ZONE 'UTC')::date, "invoiceDate") >= date_trunc('year', $4::date))`
const sumOf = (condition: string, amount: string, name: string) =>
  `coalesce(sum(${amount}) FILTER (WHERE ${condition}), 0)::float8 AS "${name}", count(*) FILTER (WHERE ${condition}) AS "${name}Count"`

/**
 * Reads a page of the invoices that match, and the sums of all that match by currency: sums are exact below 2^53, like each amount. An
 * index on the team and the application, on the team, the status and the due date, or on the team and the invoice date finds the
 * rows; numbers are compared after that, since a number can contain the text anywhere.
 */
export const searchInvoices = listStatement<StoredInvoice, InvoiceOrder, Values>({
  name: 'invoice_search',
  matching: `
    SELECT ${invoiceColumns}
    FROM invoices r
    WHERE team_id = $3 AND ($5::"InvoiceStatus" IS NULL OR status = $5) AND (NOT $6::boolean OR status = 'open' AND due_date < $4::date)
      AND ($7::"Application" IS NULL OR application = $7) AND ($10::text IS NULL OR number ILIKE $10)
      AND invoice_date BETWEEN coalesce($8::date, '-infinity') AND coalesce($9::date, 'infinity')`,
  columns: 'r.*',
  orders: { date: '"invoiceDate"', due: '"dueDate"', number: 'number' },
  aggregate: `
    SELECT json_agg(s ORDER BY s.currency)::text FROM (
      SELECT currency, ${sumOf(`status = 'open'`, 'subtotal::numeric + tax - "amountPaid"', 'outstanding')},
        ${sumOf(isOverdue, 'subtotal::numeric + tax - "amountPaid"', 'overdue')},
        ${sumOf(isPaidThisYear, '"amountPaid"', 'paidThisYear')}
      FROM matching GROUP BY currency
    ) s`,
})
