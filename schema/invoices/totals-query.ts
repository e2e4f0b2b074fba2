import type { Application, InvoiceStatus } from '../../prisma/generated/client/enums.ts'
import { query } from '../../prisma/statement/statement.ts'
import type { Context } from '../core/context.ts'
import { onReplica } from '../core/database/on-replica.ts'
import { buildGrouping } from '../teams/group-by.ts'
import type { TotalsQuery } from '../teams/team-totals.ts'

export interface AppTotalRow {
  appId: Application | null
  subtotal: number
}

export interface InvoiceTotalRow {
  team?: string
  month?: string
  application?: Application | null
  status?: InvoiceStatus
  currency: string
  count: number
  subtotal: number
  tax: number
  total: number
  paid: number
  outstanding: number
  outstandingCount: number
  overdue: number
  overdueCount: number
  apps?: AppTotalRow[]
}

const columnByGroup = {
  team: 'team_id',
  month: `date_trunc('month', invoice_date)::date`,
  application: 'application',
  status: 'status',
  currency: 'currency',
}
const isOverdue = `status = 'open' AND due_date < $2::date`
const amountDue = 'subtotal::numeric + tax - amount_paid'
const sumSql = (amount: string, name: string, condition = 'true') =>
  `coalesce(sum(${amount}) FILTER (WHERE ${condition}), 0)::float8 AS "${name}"`
const countSql = (condition: string, name: string) => `count(*) FILTER (WHERE ${condition}) AS "${name}"`

/**
 * Selects sums of the invoices of teams, by currency and the groups. `since` and `until` null mean no limit. It is SQL, because Prisma's
 * query builder can neither group by month nor join the lines. Sums are exact below 2^53, like each amount; beyond, they are the nearest
 * number of JSON. Void invoices count only in groups of their own, by status.
 */
export function readInvoiceTotals(
  context: Context,
  { teamIds, groups: selectedGroups, withCostlyFields: withApps }: TotalsQuery,
  since: string | null,
  until: string | null,
): Promise<InvoiceTotalRow[]> {
  const groups = new Set([...selectedGroups, 'currency'])
  const { columns, clause } = buildGrouping(columnByGroup, groups)
  const names = Object.keys(columnByGroup).filter((name) => groups.has(name))
  // The dates are compared with the index on the team and the invoice date.
  const text = `WITH issued AS (
      SELECT * FROM invoices WHERE team_id = ANY ($1::uuid[]) AND $2::date IS NOT NULL
        AND invoice_date BETWEEN coalesce($3::date, '-infinity') AND coalesce($4::date, 'infinity')
        ${groups.has('status') ? '' : `AND status <> 'void'`}
    ), totals AS (
      SELECT ${columns} count(*) AS count, ${sumSql('subtotal', 'subtotal')}, ${sumSql('tax', 'tax')},
        ${sumSql('subtotal::numeric + tax', 'total')}, ${sumSql('amount_paid', 'paid')},
        ${sumSql(amountDue, 'outstanding', `status = 'open'`)}, ${countSql(`status = 'open'`, 'outstandingCount')},
        ${sumSql(amountDue, 'overdue', isOverdue)}, ${countSql(isOverdue, 'overdueCount')}
      FROM issued ${clause}
    )${withApps ? appTotals(columns, names) : ''}
    SELECT t.*${withApps ? `, coalesce(a.apps, '[]') AS apps` : ''} FROM totals t ${withApps ? appsOfTotals(names) : ''}
    ORDER BY ${names.map((name) => `t."${name}"`).join(', ')}`
  return query<InvoiceTotalRow>(onReplica(context).database.pool, text, [teamIds, context.now().toISOString().slice(0, 10), since, until])
}

/**
 * Builds SQL for the subtotal of each group by application. The subtotal of an invoice counts for the invoice's application, and the amount
 * of a line of another application is moved to that one. The subtotals therefore add up to that of the group exactly.
 */
function appTotals(columns: string, names: readonly string[]): string {
  const keys = names.map((name) => `"${name}"`).join(', ')
  return `, grouped AS (
      SELECT ${columns} id AS invoice_id, application AS from_app, subtotal AS amount FROM issued
    ), moved AS (
      SELECT g.*, l.application AS to_app, l.unit_amount::numeric * l.quantity AS moved
      FROM grouped g JOIN invoice_lines l ON l.invoice_id = g.invoice_id
      WHERE l.application IS DISTINCT FROM g.from_app AND l.application IS NOT NULL
    ), shares AS (
      SELECT ${keys}, from_app AS app, amount::numeric AS share FROM grouped
      UNION ALL SELECT ${keys}, to_app, moved FROM moved
      UNION ALL SELECT ${keys}, from_app, -moved FROM moved
    ), apps AS (
      SELECT ${keys}, json_agg(json_build_object('appId', app, 'subtotal', share) ORDER BY app) AS apps
      FROM (SELECT ${keys}, app, sum(share) AS share FROM shares GROUP BY ${keys}, app) s WHERE share <> 0 GROUP BY ${keys}
    )`
}

const appsOfTotals = (names: readonly string[]) =>
  `LEFT JOIN apps a ON ${names.map((name) => `a."${name}" IS NOT DISTINCT FROM t."${name}"`).join(' AND ')}`
