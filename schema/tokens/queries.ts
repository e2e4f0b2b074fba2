import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { enumType } from '../builder/enum-type.ts'
import { searchPattern } from '../builder/search.ts'
import { SortDirectionType } from '../builder/sort-direction.ts'
import type { SortDirection } from '../builder/sort-direction.ts'
import { notFound } from '../core/errors.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { operatorOnly } from '../core/requires.ts'
import { TeamType } from '../teams/team.ts'
import { seeTeamTokens } from './rules.ts'
import { UserType } from '../accounts/user.ts'
import { isIdentifier } from '../core/validation.ts'
import { credentialFilterArguments, credentialFilters } from './credential-filters.ts'
import { findTokenPage } from './list-query.ts'
import type { TokenOrder } from './list-query.ts'
import { PersonalTokenPage, TeamTokenType, tokenParts } from './token.ts'
import { identifierOf } from '../core/global-id.ts'

const TokenOrderType = enumType('TokenOrder', 'What a list of tokens is sorted by. Tokens without the value come last.', {
  created: 'When the token was created.',
  name: 'The name of the token.',
  last_used: 'When the token was last used.',
  expires: 'When the token expires.',
} satisfies Record<TokenOrder, string>)

/** Arguments of a list of tokens. */
export const tokenArguments = builder.args((t) => ({
  ...pageArguments,
  live: t.boolean({ description: 'True for tokens that are neither revoked nor expired.' }),
  ...credentialFilterArguments('tokens'),
  search: t.string({ description: 'Only tokens whose name contains this text, in upper or lower case.' }),
  sort: t.field({ type: TokenOrderType, description: 'What the list is sorted by; default `CREATED`.' }),
  direction: t.field({ type: SortDirectionType, description: 'Direction of the sort; default `DESC`.' }),
}))

type TokenArguments = Parameters<typeof slice>[0] &
  Parameters<typeof credentialFilters>[0] & {
    live?: boolean | null
    search?: string | null
    sort?: TokenOrder | null
    direction?: SortDirection | null
  }

/** Returns a page of the tokens of a team or a user, by default newest first. */
export function findTokens(
  { database, now }: Context,
  owner: { teamId: string } | { userId: string },
  { live, search, sort, direction, ...args }: TokenArguments,
) {
  const filters = [live ? now() : null, searchPattern(search), ...credentialFilters(args)] as const
  return findTokenPage(database.pool, owner, slice(args), sort ?? 'created', direction ?? 'desc', ...filters)
}

builder.objectFields(TeamType, (t) => ({
  tokens: t.field({
    description: 'Metadata of all access tokens of the team, newest first. Values are never returned.',
    type: pageType('TeamTokenPage', TeamTokenType),
    complexity: listComplexity,
    requires: seeTeamTokens,
    args: tokenArguments,
    resolve: ({ id: teamId }, args, context) => findTokens(context, { teamId }, args),
  }),
  token: t.field({
    description: 'Metadata of one team access token.',
    type: TeamTokenType,
    requires: seeTeamTokens,
    args: { id: t.arg.id({ required: true, description: 'The token’s identifier.' }) },
    resolve: async (team, args, { database: { prisma } }) => {
      const id = identifierOf(args.id, ['TeamToken'], team)
      const token = isIdentifier(id) ? await prisma.accessToken.findFirst({ where: { id, teamId: team.id }, include: tokenParts }) : null
      if (!token) throw notFound()
      return token
    },
  }),
}))

builder.objectField(UserType, 'tokens', (t) =>
  t.field({
    description: 'Metadata of the user’s personal tokens, newest first. For operators. Users see their own at `viewer`.',
    type: PersonalTokenPage,
    complexity: listComplexity,
    requires: operatorOnly,
    args: tokenArguments,
    resolve: ({ id: userId }, args, context) => findTokens(context, { userId }, args),
  }),
)
