import type pg from 'pg'
import type { Application, InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { statement } from '../../prisma/statement.ts'
import { amountsOf } from './payment.ts'
import { pageStatement } from '../builder/page-statement.ts'
import type { SortDirection } from '../builder/sort-direction.ts'
import type { Page, Slice } from '../builder/pagination.ts'

// SQL instead of Prisma's query builder, since the invoice list is the largest hot list of the REST façade. One statement
// reads a page with its total; if lines are requested, one more reads those of all its invoices.

interface StoredInvoice {
  id: string
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

interface StoredLine {
  id: string
  invoiceId: string
  appId: Application | null
  description: string
  quantity: number
  unitAmount: number
  periodStart: string | null
  periodEnd: string | null
}

export interface LineRow extends StoredLine {
  amount: number
  /** The invoice's currency. */
  currency: string
}

/** An invoice with one property per GraphQL field, under the field's name: compiled operations read those without a resolver. */
export interface InvoiceRow extends StoredInvoice {
  total: number
  amountDue: number
  /** Loads the lines of all invoices of the page when it is first called for one of them. */
  lines(): Promise<LineRow[]>
}

const columns = `r.id, r.number, r.application AS "appId", r.status, r.currency, r.subtotal, r.tax, r.amount_paid AS "amountPaid",
  r.invoice_date AS "invoiceDate", r.due_date AS "dueDate", r.paid_at AS "paidAt", r.period_start AS "periodStart", r.period_end AS "periodEnd"`

const list = { table: 'invoices', order: ['invoice_date', 'id'], columns } as const
const pages = {
  asc: pageStatement<StoredInvoice>({ ...list, name: 'invoice_page_asc', direction: 'asc' }),
  desc: pageStatement<StoredInvoice>({ ...list, name: 'invoice_page_desc', direction: 'desc' }),
}
// Statements of their own: a generic plan for both could not use the index that follows the application.
const ofApp = { ...list, filter: { column: 'application', type: '"Application"' } } as const
const pagesOfApp = {
  asc: pageStatement<StoredInvoice>({ ...ofApp, name: 'invoice_page_asc_of_app', direction: 'asc' }),
  desc: pageStatement<StoredInvoice>({ ...ofApp, name: 'invoice_page_desc_of_app', direction: 'desc' }),
}

const invoiceOfTeam = statement<StoredInvoice, [teamId: string, id: string]>(
  'invoice_of_team',
  `SELECT ${columns} FROM invoices r WHERE r.team_id = $1 AND r.id = $2`,
)
// Does not join the invoices for their currency, which is known here: PostgreSQL would scan all invoices to join fifty.
const linesOfInvoices = statement<StoredLine, [invoiceIds: string[]]>(
  'lines_of_invoices',
  `SELECT l.id, l.invoice_id AS "invoiceId", l.application AS "appId", l.description, l.quantity, l.unit_amount AS "unitAmount",
     l.period_start AS "periodStart", l.period_end AS "periodEnd"
   FROM invoice_lines l WHERE l.invoice_id = ANY($1) ORDER BY l.invoice_id, l.position`,
)

interface InvoiceQuery extends Slice {
  teamId: string
  application: Application | null | undefined
  sort: SortDirection
}

export async function invoicePage(pool: pg.Pool, { teamId, application, sort, ...slice }: InvoiceQuery): Promise<Page<InvoiceRow>> {
  const page = application ? await pagesOfApp[sort](pool, teamId, slice, application) : await pages[sort](pool, teamId, slice)
  return { ...page, nodes: toRows(pool, page.nodes) }
}

export async function findInvoice(pool: pg.Pool, teamId: string, id: string): Promise<InvoiceRow | null> {
  return toRows(pool, await invoiceOfTeam(pool, teamId, id))[0] ?? null
}

function toRows(pool: pg.Pool, invoices: StoredInvoice[]): InvoiceRow[] {
  let linesByInvoice: Promise<Map<string, LineRow[]>> | undefined
  const linesOf = async (id: string) => (await (linesByInvoice ??= loadLines(pool, invoices))).get(id) ?? []
  return invoices.map((invoice) => {
    return Object.assign(invoice, amountsOf(invoice), { lines: () => linesOf(invoice.id) })
  })
}

async function loadLines(pool: pg.Pool, invoices: StoredInvoice[]): Promise<Map<string, LineRow[]>> {
  const currencies = new Map(invoices.map(({ id, currency }) => [id, currency]))
  const lines = await linesOfInvoices(pool, [...currencies.keys()])
  const rows = lines.map((line) =>
    Object.assign(line, { amount: line.quantity * line.unitAmount, currency: currencies.get(line.invoiceId) ?? '' }),
  )
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId)
}
