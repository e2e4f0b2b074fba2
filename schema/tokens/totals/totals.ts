import { builder } from '../../builder/builder.ts'
import { enumType } from '../../builder/enum-type.ts'
import { declareTotals } from '../../teams/totals.ts'
import type { TotalOf } from '../../teams/totals.ts'
import { seeTeamTokens } from '../rules.ts'
import { readTokenTotals, tokenAges, tokenExpiries, tokenLastUses, tokenStates } from './totals-query.ts'
import type { TokenTotalRow } from './totals-query.ts'

type Name<Names extends readonly string[]> = Names[number]

const StateType = enumType('TokenState', 'Whether a token can be used.', {
  live: 'Neither revoked nor expired.',
  expired: 'Expired, and not revoked.',
  revoked: 'Revoked, whether or not it has expired.',
} satisfies Record<Name<typeof tokenStates>, string>)

const AgeType = enumType('TokenAge', 'How long ago a token was created.', {
  up_to_30_days: 'At most 30 days ago.',
  up_to_90_days: 'More than 30 and at most 90 days ago.',
  up_to_365_days: 'More than 90 and at most 365 days ago.',
  over_365_days: 'More than 365 days ago.',
} satisfies Record<Name<typeof tokenAges>, string>)

const LastUseType = enumType('TokenLastUse', 'When a token was last used.', {
  within_30_days: 'At most 30 days ago.',
  within_90_days: 'More than 30 and at most 90 days ago.',
  over_90_days: 'More than 90 days ago.',
  never: 'Never.',
} satisfies Record<Name<typeof tokenLastUses>, string>)

const ExpiryType = enumType('TokenExpiry', 'When a token expires.', {
  past: 'It has expired.',
  within_30_days: 'In less than 30 days.',
  within_90_days: 'In 30 to 90 days.',
  later: 'In 90 days or later.',
  never: 'It never expires.',
} satisfies Record<Name<typeof tokenExpiries>, string>)

const ungrouped = 'null if the totals are not grouped by it.'
const nameAt = <Value extends string>(names: readonly Value[], index: number | undefined) =>
  index === undefined ? null : (names[index] ?? null)

const TokenTotalType = builder.objectRef<TotalOf<TokenTotalRow>>('TokenTotal').implement({
  description: 'Numbers of team access tokens.',
  fields: (t) => ({
    state: t.field({
      type: StateType,
      nullable: true,
      description: `Whether the tokens can be used; ${ungrouped}`,
      resolve: ({ state }) => nameAt(tokenStates, state),
    }),
    age: t.field({
      type: AgeType,
      nullable: true,
      description: `How long ago they were created; ${ungrouped}`,
      resolve: ({ age }) => nameAt(tokenAges, age),
    }),
    scope: t.string({ nullable: true, description: `A scope that they have; ${ungrouped}`, resolve: ({ scope }) => scope ?? null }),
    lastUse: t.field({
      type: LastUseType,
      nullable: true,
      description: `When they were last used; ${ungrouped}`,
      resolve: ({ last_use: lastUse }) => nameAt(tokenLastUses, lastUse),
    }),
    expiry: t.field({
      type: ExpiryType,
      nullable: true,
      description: `When they expire; ${ungrouped}`,
      resolve: ({ expiry }) => nameAt(tokenExpiries, expiry),
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
