import type { InputShapeFromFields } from '@pothos/core'
import { builder } from '../builder/builder.ts'
import { pageType } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { notFound } from '../core/errors.ts'
import { operatorOnly } from '../core/requires.ts'
import { isIdentifier } from '../core/validation.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { TeamType } from '../teams/team.ts'
import { UserType } from '../accounts/user.ts'
import { credentialFilterArguments, credentialFilters } from './credential-filters.ts'
import { teamTokenList, userTokenList } from './token-list.ts'
import type { TokenOrder } from './token-list.ts'
import { seeTeamTokens } from './rules.ts'
import { PersonalTokenPage, PersonalTokenType, TeamTokenType, tokenParts } from './token.ts'
import { parseIdentifier } from '../core/global-id.ts'

export const TokenOrderType = orderByType('TokenOrder', 'tokens', {
  created: 'When the token was created.',
  name: 'The name of the token.',
  last_used: 'When the token was last used.',
  expires: 'When the token expires.',
} satisfies Record<TokenOrder, string>)

export const tokenArguments = builder.args((t) => ({
  live: t.boolean({ description: 'True for tokens that are neither revoked nor expired, false for the others.' }),
  ...credentialFilterArguments('tokens'),
  search: t.string({ description: 'Only tokens whose name contains this text, in upper or lower case.' }),
  orderBy: t.field({ type: TokenOrderType, description: 'The order; default by creation, latest first.' }),
}))

export const newestFirst = { field: 'created', direction: 'desc' } as const

/** The parts that the lists of personal tokens, of the viewer and of a user, share. */
export const personalTokens = {
  page: PersonalTokenPage,
  connection: connectionType('PersonalToken', PersonalTokenType),
  list: userTokenList,
  args: tokenArguments,
  query: tokenQuery,
}

/** Returns the query for the rows that the arguments select. */
export function tokenQuery({ live, search, orderBy, ...args }: InputShapeFromFields<typeof tokenArguments>) {
  return { filters: { live, search: searchPattern(search), ...credentialFilters(args) }, orderBy: orderBy ?? newestFirst }
}

builder.objectFields(TeamType, (t) => ({
  ...listFields(t, 'tokens', {
    description: 'Metadata of all access tokens of the team. Values are never returned.',
    page: pageType('TeamTokenPage', TeamTokenType),
    connection: connectionType('TeamToken', TeamTokenType),
    requires: seeTeamTokens,
    list: teamTokenList,
    args: tokenArguments,
    query: tokenQuery,
  }),
  token: t.field({
    description: 'Metadata of one team access token.',
    type: TeamTokenType,
    requires: seeTeamTokens,
    args: { id: t.arg.id({ required: true, description: 'The token’s identifier.' }) },
    resolve: async (team, args, { database: { prisma } }) => {
      const id = parseIdentifier(args.id, ['TeamToken'], team)
      const token = isIdentifier(id) ? await prisma.accessToken.findUnique({ where: { id, teamId: team.id }, include: tokenParts }) : null
      if (!token) throw notFound()
      return token
    },
  }),
}))

builder.objectFields(UserType, (t) =>
  listFields(t, 'tokens', {
    ...personalTokens,
    description: 'Metadata of the user’s personal tokens. For operators. Users see their own at `viewer`.',
    requires: operatorOnly,
  }),
)
