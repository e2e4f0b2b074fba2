import { query } from '../../../prisma/statement/statement.ts'
import type { Context } from '../../core/context.ts'
import { isLiveAt } from '../../core/team-access/live.ts'
import { buildGrouping } from '../../teams/group-by.ts'
import type { TotalsQuery } from '../../teams/totals.ts'

export interface TokenTotalRow {
  team?: string
  state?: number
  age?: number
  scope?: string
  last_use?: number
  expiry?: number
  count: number
  neverUsed: number
  unusedFor30Days: number
  unusedFor90Days: number
  expiringWithin30Days: number
}

const now = '$2::timestamptz'
const before = (days: number) => `${now} - interval '${days} days'`
const within = (days: number) => `r.expires_at < ${now} + interval '${days} days'`
const unusedFor = (days: number) => `(r.last_used_at IS NULL OR r.last_used_at < ${before(days)})`

const isExpired = `r.expires_at <= ${now}`
const isLive = isLiveAt(now)

/** The columns by group. Except for the team and the scope, they select the index of a value in `tokenGroups`. */
const columnByGroup = {
  team: 'r.team_id',
  state: `CASE WHEN r.revoked_at IS NOT NULL THEN 2 WHEN ${isExpired} THEN 1 ELSE 0 END`,
  age: `CASE WHEN r.created_at >= ${before(30)} THEN 0 WHEN r.created_at >= ${before(90)} THEN 1
    WHEN r.created_at >= ${before(365)} THEN 2 ELSE 3 END`,
  scope: 's.scope',
  last_use: `CASE WHEN r.last_used_at IS NULL THEN 3 WHEN ${unusedFor(90)} THEN 2 WHEN ${unusedFor(30)} THEN 1 ELSE 0 END`,
  expiry: `CASE WHEN r.expires_at IS NULL THEN 4 WHEN ${isExpired} THEN 0 WHEN ${within(30)} THEN 1 WHEN ${within(90)} THEN 2 ELSE 3 END`,
}

const countSql = (condition: string, name: string) => `count(*) FILTER (WHERE ${condition}) AS "${name}"`

/**
 * Counts the tokens of teams. The index on the team finds them. If they are grouped by scope, a token counts for each of its scopes.
 * Expired and revoked tokens count only in groups of their own, by state.
 */
export function readTokenTotals({ database, now: clock }: Context, { teamIds, groups }: TotalsQuery): Promise<TokenTotalRow[]> {
  const { columns, clause } = buildGrouping(columnByGroup, groups)
  const text = `SELECT ${columns} count(*) AS count, ${countSql('r.last_used_at IS NULL', 'neverUsed')},
      ${countSql(unusedFor(30), 'unusedFor30Days')}, ${countSql(unusedFor(90), 'unusedFor90Days')},
      ${countSql(`${isLive} AND ${within(30)}`, 'expiringWithin30Days')}
    FROM access_tokens r ${groups.has('scope') ? 'CROSS JOIN LATERAL unnest(r.scopes) s(scope)' : ''}
    WHERE r.team_id = ANY ($1::uuid[]) ${groups.has('state') ? '' : `AND ${isLive}`} ${clause}`
  return query<TokenTotalRow>(database.pool, text, [teamIds, clock()])
}
