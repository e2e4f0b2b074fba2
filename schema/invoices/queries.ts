import type pg from 'pg'
import type { Application, InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { statement } from '../../prisma/statement.ts'
import { amountsOf } from './payment.ts'
import { pageStatement } from '../builder/page-statement.ts'
import { invoiceColumns } from './stored-invoice.ts'
import type { StoredInvoice } from './stored-invoice.ts'
import { searchInvoices } from './search-query.ts'
import type { InvoiceOrder, InvoiceSum } from './search-query.ts'
import type { SortDirection } from '../builder/sort-direction.ts'
import type { Page, Slice } from '../builder/pagination.ts'

// SQL instead of Prisma's query builder, since the invoice list is the largest hot list of the REST façade. One statement
// reads a page with its total; if lines are requested, one more reads those of all its invoices.

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
  lineId: string
  amount: number
  /** The invoice's currency. */
  currency: string
}

/** An invoice with one property per GraphQL field, under the field's name: compiled operations read those without a resolver. */
export interface InvoiceRow extends StoredInvoice {
  invoiceId: string
  total: number
  amountDue: number
  /** Loads the lines of all invoices of the page when it is first called for one of them. */
  lines(): Promise<LineRow[]>
}

const list = { table: 'invoices', order: ['invoice_date', 'id'], columns: invoiceColumns } as const
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
  `SELECT ${invoiceColumns} FROM invoices r WHERE r.team_id = $1 AND r.id = $2`,
)
// Does not join the invoices for their currency, which is known here: PostgreSQL would scan all invoices to join fifty.
const linesOfInvoices = statement<StoredLine, [invoiceIds: string[]]>(
  'lines_of_invoices',
  `SELECT l.id, l.invoice_id AS "invoiceId", l.application AS "appId", l.description, l.quantity, l.unit_amount AS "unitAmount",
     l.period_start AS "periodStart", l.period_end AS "periodEnd"
   FROM invoice_lines l WHERE l.invoice_id = ANY($1) ORDER BY l.invoice_id, l.position`,
)

export interface InvoiceFilters {
  application: Application | null
  status: InvoiceStatus | null
  /** Only open invoices whose due date lies before today. */
  isOverdue: boolean
  /** The first and the last invoice date. */
  since: string | null
  until: string | null
  /** Pattern of the number. */
  pattern: string | null
}

interface InvoiceQuery extends Slice {
  teamId: string
  filters: InvoiceFilters
  /** Null for the invoice date. */
  orderBy: InvoiceOrder | null
  sort: SortDirection
  now: Date
}

export interface InvoicePage extends Page<InvoiceRow> {
  /** The sums of the list by currency, whatever status it is filtered by. */
  sums(): Promise<InvoiceSum[]>
}

/** A page of the invoices that match. The list without further filters has kept counts, with which REST requests are faster. */
export async function invoicePage(pool: pg.Pool, query: InvoiceQuery): Promise<InvoicePage> {
  const { teamId, sort, orderBy, filters, now, ...slice } = query
  const { application, status, isOverdue, since, until, pattern } = filters
  const search = () => {
    const values = [teamId, now.toISOString().slice(0, 10), status, isOverdue, application, since, until, pattern] as const
    return searchInvoices(pool, slice, orderBy ?? 'date', sort, ...values)
  }
  if (orderBy === null && !isOverdue && [status, since, until, pattern].every((value) => value === null)) {
    const page = application ? await pagesOfApp[sort](pool, teamId, slice, application) : await pages[sort](pool, teamId, slice)
    return { ...page, nodes: toRows(pool, page.nodes), sums: async () => sumsOf(await search()) }
  }
  const page = await search()
  return { ...page, nodes: toRows(pool, page.nodes), sums: async () => sumsOf(page) }
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the statement selects it
const sumsOf = ({ aggregate }: { aggregate: string | null }) => (aggregate === null ? [] : (JSON.parse(aggregate) as InvoiceSum[]))

export async function findInvoice(pool: pg.Pool, teamId: string, id: string): Promise<InvoiceRow | null> {
  return toRows(pool, await invoiceOfTeam(pool, teamId, id))[0] ?? null
}

function toRows(pool: pg.Pool, invoices: StoredInvoice[]): InvoiceRow[] {
  let linesByInvoice: Promise<Map<string, LineRow[]>> | undefined
  const linesOf = async (id: string) => (await (linesByInvoice ??= loadLines(pool, invoices))).get(id) ?? []
  return invoices.map((invoice) => {
    return Object.assign(invoice, amountsOf(invoice), { invoiceId: invoice.id, lines: () => linesOf(invoice.id) })
  })
}

async function loadLines(pool: pg.Pool, invoices: StoredInvoice[]): Promise<Map<string, LineRow[]>> {
  const currencies = new Map(invoices.map(({ id, currency }) => [id, currency]))
  const lines = await linesOfInvoices(pool, [...currencies.keys()])
  const rows = lines.map((line) =>
    Object.assign(line, { lineId: line.id, amount: line.quantity * line.unitAmount, currency: currencies.get(line.invoiceId) ?? '' }),
  )
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId)
}
