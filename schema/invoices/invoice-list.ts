import type { Application, InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { onReplica } from '../core/database/on-replica.ts'
import { defineList } from '../lists/list.ts'
import { withAmounts, invoiceColumns } from './queries.ts'
import type { InvoiceRow, StoredInvoice } from './queries.ts'
import { isFound } from './invoice-search.ts'
import type { InvoiceSearch } from './invoice-search.ts'

export type InvoiceOrder = 'date' | 'day' | 'due' | 'number' | 'total'

export interface InvoiceFilters {
  appId?: Application | null | undefined
  status?: InvoiceStatus | null | undefined
  /** Selects open invoices whose due date is before today. */
  overdue?: boolean | null | undefined
  /** Currency as ISO 4217 code in lower case. */
  currency?: string | null | undefined
  /** The first and the last invoice date. */
  since?: string | null | undefined
  until?: string | null | undefined
  /** The first and the last due date. Invoices without one are then omitted. */
  dueSince?: string | null | undefined
  dueUntil?: string | null | undefined
  search?: InvoiceSearch | null
}

/** SQL condition that the invoice `r` is overdue at an instant, by the rule of `isOverdue` in payment.ts. Never null. */
export const isOverdueAt = (now: string) =>
  `r.status = 'open' AND r.due_date IS NOT NULL AND r.due_date < (${now} AT TIME ZONE 'UTC')::date`

/**
 * The invoices of a team. Indexes serve the orders by invoice date, also of one application, and by number. The pages by invoice date are
 * hot lists of the REST façade.
 */
const list = defineList<StoredInvoice, InvoiceRow, InvoiceOrder, InvoiceFilters>({
  name: 'invoices',
  rows: (team) => `FROM invoices r WHERE r.team_id = ${team}`,
  id: 'r.id',
  columns: invoiceColumns,
  orders: {
    date: { keys: [['r.invoice_date', 'date']] },
    day: {
      keys: [
        ['r.invoice_date', 'date'],
        ['r.number', 'text'],
      ],
    },
    due: { keys: [['r.due_date', 'date']], isNullable: true },
    number: { keys: [['r.number', 'text']] },
    total: { keys: [['(r.subtotal + r.tax)', 'bigint']] },
  },
  filters: {
    appId: ({ value }) => `r.application = ${value}::"Application"`,
    status: ({ value }) => `r.status = ${value}::"InvoiceStatus"`,
    overdue: ({ now }) => isOverdueAt(now),
    currency: ({ value }) => `r.currency = ${value}::char(3)`,
    since: ({ value }) => `r.invoice_date >= ${value}::date`,
    until: ({ value }) => `r.invoice_date <= ${value}::date`,
    dueSince: ({ value }) => `r.due_date >= ${value}::date`,
    dueUntil: ({ value }) => `r.due_date <= ${value}::date`,
    search: isFound,
  },
  toNode: withAmounts,
  kept: {
    table: 'invoices',
    key: { filter: 'appId', column: 'application', type: '"Application"' },
    pages: { order: 'date', columns: ['invoice_date', 'id'] },
  },
})

/** The list, read from the replica if one is available. */
export const invoiceList: typeof list = {
  page: (context, ...query) => list.page(onReplica(context), ...query),
  connection: (context, ...query) => list.connection(onReplica(context), ...query),
  pageAcross: (context, ...query) => list.pageAcross(onReplica(context), ...query),
  connectionAcross: (context, ...query) => list.connectionAcross(onReplica(context), ...query),
  count: (context, ...query) => list.count(onReplica(context), ...query),
  aggregate: (context, ...query) => list.aggregate(onReplica(context), ...query),
}
