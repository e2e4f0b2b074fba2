import type { Application } from '../../prisma/generated/client/enums.ts'
import { statement } from '../../prisma/statement.ts'

export interface AppTotalRow {
  appId: Application | null
  subtotal: number
}

export interface MonthTotalRow {
  month: string
  currency: string
  subtotal: number
  tax: number
  total: number
  apps: AppTotalRow[]
}

/**
 * Sums of a team's invoices, except void ones. `until` null means no limit. SQL, because Prisma's query builder can
 * neither group by month nor join the lines. Sums are exact below 2^53, like each amount; beyond, they are the nearest number
 * that JSON can carry.
 *
 * The subtotal of an invoice counts for the invoice's application. The amount of a line of another application is moved to that application.
 * The subtotals of the applications therefore add up to the total subtotal exactly, whatever the lines contain.
 */
export const totalsBetween = statement<MonthTotalRow, [teamId: string, since: string, until: string | null]>(
  'invoice_totals',
  `WITH issued AS (
     SELECT id, application, currency, subtotal, tax, date_trunc('month', invoice_date)::date AS month FROM invoices
     WHERE team_id = $1 AND status <> 'void' AND invoice_date >= $2 AND invoice_date <= COALESCE($3::date, 'infinity')
   ), moved AS (
     SELECT i.month, i.currency, i.application AS from_app, l.application AS to_app, l.unit_amount::numeric * l.quantity AS amount
     FROM issued i JOIN invoice_lines l ON l.invoice_id = i.id
     WHERE l.application IS DISTINCT FROM i.application AND l.application IS NOT NULL
   ), shares AS (
     SELECT month, currency, application, subtotal::numeric AS amount FROM issued
     UNION ALL SELECT month, currency, to_app, amount FROM moved
     UNION ALL SELECT month, currency, from_app, -amount FROM moved
   ), apps AS (
     SELECT month, currency, json_agg(json_build_object('appId', application, 'subtotal', amount) ORDER BY application) AS apps
     FROM (SELECT month, currency, application, sum(amount) AS amount FROM shares GROUP BY 1, 2, 3) s
     WHERE amount <> 0 GROUP BY 1, 2
   )
   SELECT month, currency, sum(subtotal)::float8 AS subtotal, sum(tax)::float8 AS tax, sum(subtotal::numeric + tax)::float8 AS total,
     COALESCE((SELECT a.apps FROM apps a WHERE a.month = i.month AND a.currency = i.currency), '[]') AS apps
   FROM issued i GROUP BY month, currency ORDER BY month, currency`,
)
