import type { TokenKind } from '../../prisma/generated/client/enums.ts'
import { UserType } from '../accounts/user.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { pageType } from '../builder/pagination.ts'
import { anyContains } from '../builder/search.ts'
import { connectionType } from '../lists/connection.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { TeamType } from '../teams/team.ts'
import { listedTokens } from '../tokens/token-list.ts'
import type { TokenFilters, TokenOrder, TokenRow } from '../tokens/token-list.ts'
import { tokenArguments, tokenQuery } from '../tokens/queries.ts'
import { hintField } from '../tokens/token.ts'
import type { TokenWithParts } from '../tokens/token.ts'
import { ownerFilters } from './owner-filters.ts'
import type { OwnerFilters } from './owner-filters.ts'
import { selectAllRows, searchCost, StaffType } from './staff.ts'
import { findTeamById } from './staff-teams.ts'
import { findUserById } from './users.ts'

interface StaffTokenFilters extends TokenFilters, OwnerFilters {
  kind?: TokenKind | null | undefined
}

const tokenList = defineList<TokenRow, TokenWithParts, TokenOrder, StaffTokenFilters>({
  ...listedTokens,
  name: 'staff tokens',
  rows: selectAllRows('access_tokens'),
  filters: {
    ...listedTokens.filters,
    search: ({ value }) => anyContains(['r.name', `coalesce(r.last_four, '')`], value),
    kind: ({ value }) => `r.kind = ${value}::"TokenKind"`,
    teamId: ({ value }) => `r.team_id = ${value}::uuid`,
    userId: ({ value }) => `r.user_id = ${value}::uuid`,
  },
})

const KindType = enumType('TokenKind', 'Whether an access token belongs to a user or to a team.', {
  personal: 'It belongs to a user.',
  team: 'It belongs to a team.',
} satisfies Record<TokenKind, string>)

const StaffTokenType = builder.objectRef<TokenWithParts>('StaffToken').implement({
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

builder.objectFields(StaffType, (t) =>
  listFields(t, 'tokens', {
    description: 'All personal and team access tokens, by default newest first. Values are never returned.',
    page: pageType('StaffTokenPage', StaffTokenType),
    connection: connectionType('StaffToken', StaffTokenType),
    list: tokenList,
    cost: searchCost,
    args: builder.args((t) => ({
      ...tokenArguments,
      kind: t.field({ type: KindType, description: 'Only tokens of this kind.' }),
      team: t.string({ description: 'Only tokens of the team with this slug.' }),
      user: t.string({ description: 'Only personal tokens of the user with this email address, identifier or global id.' }),
      search: t.string({ description: 'Only tokens whose name or last four characters contain this text, in upper or lower case.' }),
    })),
    async query({ kind, team, user, ...args }, context) {
      const { filters, orderBy } = tokenQuery(args)
      return { filters: { ...filters, kind, ...(await ownerFilters(context, { team, user })) }, orderBy }
    },
  }),
)
