import type { Application, InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { statement } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'
import { onReplica } from '../core/database/on-replica.ts'
import { loadBatched, loadOfTeam } from '../lists/batch.ts'
import { calculateAmounts } from './payment.ts'

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

interface StoredLine {
  id: string
  invoiceId: string
  appId: Application | null
  description: string
  quantity: number
  unitAmount: number
  taxRate: number | null
  periodStart: string | null
  periodEnd: string | null
}

export interface LineRow extends StoredLine {
  lineId: string
  amount: number
  /** Currency of the invoice. */
  currency: string
  invoice: InvoiceRow
}

/** An invoice with one property per GraphQL field, under the field's name: graphql-jit reads those without a resolver. */
export interface InvoiceRow extends StoredInvoice {
  invoiceId: string
  total: number
  amountDue: number
}

export const withAmounts = (invoice: StoredInvoice): InvoiceRow =>
  Object.assign(invoice, calculateAmounts(invoice), { invoiceId: invoice.id })

const invoicesByKeys = statement<StoredInvoice, [teamIds: readonly string[], ids: readonly string[]]>(
  'invoices_by_keys',
  `SELECT ${invoiceColumns} FROM unnest($1::uuid[], $2::uuid[]) k(team_id, id) JOIN invoices r ON r.team_id = k.team_id AND r.id = k.id`,
)
// The statement does not join the invoices for their currency, which the caller has: PostgreSQL would scan all invoices to join fifty. The
// order is that within each invoice.
const linesOfInvoices = statement<StoredLine, [invoiceIds: string[]]>(
  'lines_of_invoices',
  `SELECT l.id, l.invoice_id AS "invoiceId", l.application AS "appId", l.description, l.quantity, l.unit_amount AS "unitAmount",
     l.tax_rate::float8 AS "taxRate", l.period_start AS "periodStart", l.period_end AS "periodEnd"
   FROM invoice_lines l WHERE l.invoice_id = ANY($1) ORDER BY l.position`,
)

/** Returns one invoice, or null. Fields of a request that are resolved at the same time share one statement. */
export async function findInvoice(context: Context, teamId: string, id: string): Promise<InvoiceRow | null> {
  const invoice = await loadOfTeam(onReplica(context), 'invoice', teamId, id, invoicesByKeys)
  return invoice ? withAmounts(invoice) : null
}

/** Returns the lines of an invoice. One statement reads those of all invoices whose lines are selected at the same time. */
export async function findLines(context: Context, invoice: InvoiceRow): Promise<LineRow[]> {
  const { id, currency } = invoice
  const load = async (ids: string[]) =>
    Map.groupBy(await linesOfInvoices(onReplica(context).database.pool, ids), ({ invoiceId }) => invoiceId)
  const lines = (await loadBatched(context, 'invoice lines', id, load)) ?? []
  return lines.map((line) => Object.assign(line, { lineId: line.id, amount: line.quantity * line.unitAmount, currency, invoice }))
}
