import { query } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import type { Context } from '../core/context.ts'
import { isLiveAt } from '../core/team-access/live.ts'
import { buildGrouping } from '../teams/group-by.ts'
import { declareTotals } from '../teams/team-totals.ts'
import type { TotalOf, TotalsQuery } from '../teams/team-totals.ts'
import { seeTeamTokens } from './rules.ts'

/** The values of each group of tokens, with descriptions. The statement of the totals selects their index. */
const tokenGroups = {
  state: {
    live: 'Neither revoked nor expired.',
    expired: 'Expired, and not revoked.',
    revoked: 'Revoked, whether or not it has expired.',
  },
  age: {
    up_to_30_days: 'At most 30 days ago.',
    up_to_90_days: 'More than 30 and at most 90 days ago.',
    up_to_365_days: 'More than 90 and at most 365 days ago.',
    over_365_days: 'More than 365 days ago.',
  },
  last_use: {
    within_30_days: 'At most 30 days ago.',
    within_90_days: 'More than 30 and at most 90 days ago.',
    over_90_days: 'More than 90 days ago.',
    never: 'Never.',
  },
  expiry: {
    past: 'It has expired.',
    within_30_days: 'In less than 30 days.',
    within_90_days: 'In 30 to 90 days.',
    later: 'In 90 days or later.',
    never: 'It never expires.',
  },
}

const StateType = enumType('TokenState', 'Whether a token can be used.', tokenGroups.state)
const AgeType = enumType('TokenAge', 'How long ago a token was created.', tokenGroups.age)
const LastUseType = enumType('TokenLastUse', 'When a token was last used.', tokenGroups.last_use)
const ExpiryType = enumType('TokenExpiry', 'When a token expires.', tokenGroups.expiry)

const ungrouped = 'null if the totals are not grouped by it.'
const valueAt = <Value extends string>(values: Record<Value, string>, index: number | undefined) =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of `values`
  index === undefined ? null : ((Object.keys(values)[index] ?? null) as Value | null)

const TokenTotalType = builder.objectRef<TotalOf<TokenTotalRow>>('TokenTotal').implement({
  description: 'Numbers of team access tokens.',
  fields: (t) => ({
    state: t.field({
      type: StateType,
      nullable: true,
      description: `Whether the tokens can be used; ${ungrouped}`,
      resolve: ({ state }) => valueAt(tokenGroups.state, state),
    }),
    age: t.field({
      type: AgeType,
      nullable: true,
      description: `How long ago they were created; ${ungrouped}`,
      resolve: ({ age }) => valueAt(tokenGroups.age, age),
    }),
    scope: t.string({ nullable: true, description: `A scope that they have; ${ungrouped}`, resolve: ({ scope }) => scope ?? null }),
    lastUse: t.field({
      type: LastUseType,
      nullable: true,
      description: `When they were last used; ${ungrouped}`,
      resolve: ({ last_use: lastUse }) => valueAt(tokenGroups.last_use, lastUse),
    }),
    expiry: t.field({
      type: ExpiryType,
      nullable: true,
      description: `When they expire; ${ungrouped}`,
      resolve: ({ expiry }) => valueAt(tokenGroups.expiry, expiry),
    }),
    count: t.exposeInt('count', { description: 'Number of tokens.' }),
    neverUsed: t.exposeInt('neverUsed', { description: 'Number of those that were never used.' }),
    unusedFor30Days: t.exposeInt('unusedFor30Days', {
      description: 'Number of those that were last used more than 30 days ago, or never.',
    }),
    unusedFor90Days: t.exposeInt('unusedFor90Days', {
      description: 'Number of those that were last used more than 90 days ago, or never.',
    }),
    expiringWithin30Days: t.exposeInt('expiringWithin30Days', {
      description: 'Number of those that are live and expire in less than 30 days.',
    }),
  }),
})

declareTotals({
  name: 'tokenTotals',
  description:
    'Numbers of team access tokens, by default all together. Expired and revoked tokens count only if the totals are grouped by state. ' +
    'Grouped by scope, a token counts for each of its scopes.',
  type: TokenTotalType,
  requires: seeTeamTokens,
  cost: 50,
  groups: {
    state: { description: 'Whether the tokens can be used.', values: 2 },
    age: { description: 'How long ago they were created.', values: 3 },
    scope: { description: 'Each scope that they have.', values: 6 },
    last_use: { description: 'When they were last used.', values: 3 },
    expiry: { description: 'When they expire.', values: 3 },
  },
  defaultGroups: [],
  args: {},
  read: readTokenTotals,
})

interface TokenTotalRow {
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
function readTokenTotals({ database, now: clock }: Context, { teamIds, groups }: TotalsQuery): Promise<TokenTotalRow[]> {
  const { columns, clause } = buildGrouping(columnByGroup, groups)
  const text = `SELECT ${columns} count(*) AS count, ${countSql('r.last_used_at IS NULL', 'neverUsed')},
      ${countSql(unusedFor(30), 'unusedFor30Days')}, ${countSql(unusedFor(90), 'unusedFor90Days')},
      ${countSql(`${isLive} AND ${within(30)}`, 'expiringWithin30Days')}
    FROM access_tokens r ${groups.has('scope') ? 'CROSS JOIN LATERAL unnest(r.scopes) s(scope)' : ''}
    WHERE r.team_id = ANY ($1::uuid[]) ${groups.has('state') ? '' : `AND ${isLive}`} ${clause}`
  return query<TokenTotalRow>(database.pool, text, [teamIds, clock()])
}
