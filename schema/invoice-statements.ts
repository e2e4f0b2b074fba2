import type pg from 'pg'
import type { Application, InvoiceStatus } from '../prisma/generated/client/enums.ts'
import { statement } from '../prisma/statement.ts'
import { pageOf } from './pagination.ts'
import type { Page, Slice } from './pagination.ts'

// The statements behind TeamInvoice and its lines: a page is one, its lines together one more, only when asked for.

export type SortDirection = 'asc' | 'desc'

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
  /** The invoice's. */
  currency: string
}

/** An invoice with every field of its type but the lines under the field's own name, as compiled operations read them. */
export interface InvoiceRow extends StoredInvoice {
  total: number
  amountDue: number
  /** The lines, loaded for all invoices of one answer at once when the first asks. */
  lines(): Promise<LineRow[]>
}

const columns = `i.id, i.number, i.application AS "appId", i.status, i.currency, i.subtotal, i.tax, i.amount_paid AS "amountPaid",
  i.invoice_date AS "invoiceDate", i.due_date AS "dueDate", i.paid_at AS "paidAt", i.period_start AS "periodStart", i.period_end AS "periodEnd"`

// One text for each direction, with and without the filter: a plan that serves both would serve neither with an index.
const pageStatement = (direction: SortDirection, filtered: boolean) => {
  const where = `team_id = $1${filtered ? ' AND application = $4::"Application"' : ''}`
  return statement<StoredInvoice & { inAll: number }, [teamId: string, limit: number, offset: number, application?: Application]>(
    `invoice_page_${direction}${filtered ? '_of_app' : ''}`,
    `SELECT t.in_all AS "inAll", ${columns}
     FROM (SELECT count(*) AS in_all FROM invoices WHERE ${where}) t
     LEFT JOIN (SELECT * FROM invoices WHERE ${where} ORDER BY invoice_date ${direction}, id ${direction} LIMIT $2 OFFSET $3) i ON true
     ORDER BY i.invoice_date ${direction}, i.id ${direction}`,
  )
}
const pages = { asc: pageStatement('asc', false), desc: pageStatement('desc', false) }
const pagesOfApp = { asc: pageStatement('asc', true), desc: pageStatement('desc', true) }

const invoiceOfTeam = statement<StoredInvoice, [teamId: string, id: string]>(
  'invoice_of_team',
  `SELECT ${columns} FROM invoices i WHERE i.team_id = $1 AND i.id = $2`,
)
// Without a join for the currency: the invoices are at hand, and PostgreSQL reads all there are to join fifty.
const linesOfInvoices = statement<StoredLine, [invoiceIds: string[]]>(
  'lines_of_invoices',
  `SELECT l.id, l.invoice_id AS "invoiceId", l.application AS "appId", l.description, l.quantity, l.unit_amount AS "unitAmount",
     l.period_start AS "periodStart", l.period_end AS "periodEnd"
   FROM invoice_lines l WHERE l.invoice_id = ANY($1) ORDER BY l.invoice_id, l.position`,
)

interface Asked extends Slice {
  teamId: string
  application: Application | null | undefined
  sort: SortDirection
}

export async function invoicePage(pool: pg.Pool, { teamId, application, sort, ...slice }: Asked): Promise<Page<InvoiceRow>> {
  const rows = application
    ? await pagesOfApp[sort](pool, teamId, slice.perPage, slice.offset, application)
    : await pages[sort](pool, teamId, slice.perPage, slice.offset)
  const page = pageOf(rows, slice, 'id')
  return { ...page, nodes: toRows(pool, page.nodes) }
}

export async function findInvoice(pool: pg.Pool, teamId: string, id: string): Promise<InvoiceRow | null> {
  return toRows(pool, await invoiceOfTeam(pool, teamId, id))[0] ?? null
}

function toRows(pool: pg.Pool, invoices: StoredInvoice[]): InvoiceRow[] {
  let all: Promise<Map<string, LineRow[]>> | undefined
  const linesOf = async (id: string) => (await (all ??= loadLines(pool, invoices))).get(id) ?? []
  return invoices.map((invoice) => {
    const total = invoice.subtotal + invoice.tax
    return { ...invoice, total, amountDue: total - invoice.amountPaid, lines: () => linesOf(invoice.id) }
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
