import { builder } from '../../builder/builder.ts'
import { enumType } from '../../builder/enum-type.ts'
import { declareTotals } from '../../teams/totals.ts'
import type { TotalOf } from '../../teams/totals.ts'
import { seeTeamTokens } from '../rules.ts'
import { tokenGroups } from './groups.ts'
import { readTokenTotals } from './totals-query.ts'
import type { TokenTotalRow } from './totals-query.ts'

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
