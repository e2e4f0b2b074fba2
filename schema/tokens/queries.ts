import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { listComplexity, loadPage, pageArguments, pageType } from '../builder/pagination.ts'
import { operatorOnly } from '../core/requires.ts'
import { TeamType } from '../teams/team.ts'
import { seeTeamTokens } from './rules.ts'
import { UserType } from '../accounts/user.ts'
import { isIdentifier } from '../core/validation.ts'
import { PersonalTokenPage, TeamTokenType, liveTokens, newestFirst, tokenParts } from './token.ts'

/** Arguments of a list of tokens. */
export const tokenArguments = builder.args((t) => ({
  ...pageArguments,
  live: t.boolean({ description: 'True for tokens that are neither revoked nor expired.' }),
}))

/** Returns a page of the tokens of a team or a user, newest first. */
export function findTokens(
  { database: { prisma }, now }: Context,
  owner: { teamId: string } | { userId: string },
  { live, ...args }: Parameters<typeof loadPage>[0] & { live?: boolean | null },
) {
  const where = { ...owner, ...(live && liveTokens(now())) }
  return loadPage(args, {
    count: () => prisma.accessToken.count({ where }),
    find: (window) => prisma.accessToken.findMany({ where, include: tokenParts, orderBy: newestFirst, ...window }),
  })
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
    resolve: async (team, { id }, { database: { prisma } }) => {
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
