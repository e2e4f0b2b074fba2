import type { AccessToken } from '../../prisma/generated/client/client.ts'
import type { TokenKind } from '../../prisma/generated/client/enums.ts'
import { UserType } from '../accounts/user.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { pageType } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { withDates } from '../builder/with-dates.ts'
import { parse, text } from '../core/validation.ts'
import { z } from 'zod'
import { connectionType } from '../lists/connection.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { TeamType } from '../teams/team.ts'
import { hintField } from '../tokens/token.ts'
import { allRowsOf, searchCost, StaffType } from './staff.ts'
import { findTeamById } from './teams.ts'
import { findUserById } from './users.ts'

type TokenOrder = 'created' | 'name' | 'last_used' | 'expires'

const instants = ['createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt'] as const
/** A token without what lists do not show. */
type Token = Pick<
  AccessToken,
  'id' | 'kind' | 'name' | 'lastFour' | 'scopes' | 'userId' | 'teamId' | 'createdById' | (typeof instants)[number]
>
type TokenRow = Omit<Token, (typeof instants)[number]> &
  Record<'createdAt', string> &
  Record<Exclude<(typeof instants)[number], 'createdAt'>, string | null>

interface TokenFilters {
  live?: boolean | null | undefined
  /** A pattern of the name or the last characters. */
  search?: string | null
  expiresBefore?: Date | null | undefined
  expiresAfter?: Date | null | undefined
  unusedSince?: Date | null | undefined
  scope?: string | null | undefined
  kind?: TokenKind | null | undefined
  /** Slug of the owning team. */
  team?: string | null | undefined
  /** E-mail address of the owning user. */
  user?: string | null | undefined
}

const tokenList = defineList<TokenRow, Token, TokenOrder, TokenFilters>({
  name: 'staff tokens',
  rows: allRowsOf('access_tokens'),
  id: 'r.id',
  columns: `r.id, r.kind, r.name, r.last_four AS "lastFour", to_json(r.scopes) AS scopes, r.user_id AS "userId", r.team_id AS "teamId",
    r.created_by_id AS "createdById", r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt",
    r.revoked_at AS "revokedAt"`,
  orders: {
    created: { keys: [['r.created_at', 'timestamptz']] },
    name: { keys: [['r.name', 'text']] },
    last_used: { keys: [['r.last_used_at', 'timestamptz']], isNullable: true },
    expires: { keys: [['r.expires_at', 'timestamptz']], isNullable: true },
  },
  filters: {
    live: ({ now }) => `r.revoked_at IS NULL AND (r.expires_at > ${now} OR r.expires_at IS NULL)`,
    search: ({ value }) => `concat_ws(E'\\n', r.name, r.last_four) ILIKE ${value}`,
    kind: ({ value }) => `r.kind = ${value}::"TokenKind"`,
    team: ({ value }) => `r.team_id = (SELECT id FROM teams WHERE slug = ${value})`,
    user: ({ value }) => `r.user_id = (SELECT id FROM users WHERE email = lower(${value}))`,
    expiresBefore: ({ value }) => `r.expires_at < ${value}::timestamptz`,
    expiresAfter: ({ value }) => `r.expires_at >= ${value}::timestamptz`,
    unusedSince: ({ value }) => `(r.last_used_at < ${value}::timestamptz OR r.last_used_at IS NULL)`,
    scope: ({ value }) => `${value}::text = ANY (r.scopes)`,
  },
  toNode: (row) => withDates(row, instants),
})

const KindType = enumType('TokenKind', 'Whether an access token belongs to a user or to a team.', {
  personal: 'It belongs to a user.',
  team: 'It belongs to a team.',
} satisfies Record<TokenKind, string>)

const StaffTokenType = builder.objectRef<Token>('StaffToken').implement({
  description: 'Metadata of an access token of any user or team, for staff. The value is never returned.',
  fields: (t) => ({
    tokenId: t.exposeID('id', { describedBy: 'AccessToken.id' }),
    kind: t.expose('kind', { type: KindType, describedBy: 'AccessToken.kind' }),
    name: t.exposeString('name', { describedBy: 'AccessToken.name' }),
    hint: t.string(hintField),
    scopes: t.exposeStringList('scopes', { describedBy: 'AccessToken.scopes' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', describedBy: 'AccessToken.createdAt' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true, describedBy: 'AccessToken.lastUsedAt' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, describedBy: 'AccessToken.expiresAt' }),
    revokedAt: t.expose('revokedAt', { type: 'DateTime', nullable: true, describedBy: 'AccessToken.revokedAt' }),
    team: t.field({
      type: TeamType,
      nullable: true,
      description: 'The team that a team token belongs to.',
      resolve: ({ teamId }, _, context) => (teamId === null ? null : findTeamById(context, teamId)),
    }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The user that a personal token belongs to.',
      resolve: ({ userId }, _, context) => (userId === null ? null : findUserById(context, userId)),
    }),
    createdBy: t.field({
      type: UserType,
      nullable: true,
      describedBy: 'AccessToken.createdBy',
      resolve: ({ createdById }, _, context) => (createdById === null ? null : findUserById(context, createdById)),
    }),
  }),
})

const OrderType = orderByType('StaffTokenOrder', 'tokens', {
  created: 'When the token was created.',
  name: 'The name of the token.',
  last_used: 'When the token was last used.',
  expires: 'When the token expires.',
} satisfies Record<TokenOrder, string>)

/** Names of a team or user in a filter. One that nothing has selects nothing. */
export const ownerRules = z.object({ team: text.max(64).nullish(), user: text.max(254).nullish() })
const rules = ownerRules.extend({ scope: text.max(100).nullish() })

builder.objectFields(StaffType, (t) =>
  listFields(t, 'tokens', {
    description: 'All personal and team access tokens, by default newest first. Values are never returned.',
    page: pageType('StaffTokenPage', StaffTokenType),
    connection: connectionType('StaffToken', StaffTokenType),
    list: tokenList,
    cost: searchCost,
    args: builder.args((t) => ({
      expiresBefore: t.field({ type: 'DateTime', description: 'Only tokens that expire before this instant.' }),
      expiresAfter: t.field({
        type: 'DateTime',
        description: 'Only tokens that expire at or after this instant, not those that never expire.',
      }),
      unusedSince: t.field({ type: 'DateTime', description: 'Only tokens that were last used before this instant, or never.' }),
      scope: t.string({ description: 'Only tokens with this scope.' }),
      live: t.boolean({ description: 'True for tokens that are neither revoked nor expired.' }),
      kind: t.field({ type: KindType, description: 'Only tokens of this kind.' }),
      team: t.string({ description: 'Only tokens of the team with this slug.' }),
      user: t.string({ description: 'Only personal tokens of the user with this e-mail address.' }),
      search: t.string({ description: 'Only tokens whose name or last four characters contain this text, in upper or lower case.' }),
      orderBy: t.field({ type: OrderType, description: 'The order; default by time of creation, newest first.' }),
    })),
    query: ({ team, user, scope, search, orderBy, ...filters }) => ({
      filters: { ...filters, ...parse(rules, { team, user, scope }), search: searchPattern(search) },
      orderBy: orderBy ?? { field: 'created' as const, direction: 'desc' as const },
    }),
  }),
)
