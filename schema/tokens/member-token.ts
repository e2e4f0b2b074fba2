import { queryFromInfo } from '@pothos/plugin-prisma'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { listComplexity, loadPage, pageArguments, pageType } from '../builder/pagination.ts'
import { seeTeamAccess } from '../core/requires.ts'
import { TeamType } from '../teams/team.ts'
import { hintField, liveTokens, newestFirst, previousValueField } from './token.ts'

// Personal tokens of the members of a team, as its owners see them.

const TokenOwnerType = builder.prismaObject('User', {
  variant: 'TokenOwner',
  description: 'The user that a personal token belongs to.',
  fields: (t) => ({ id: t.exposeID('id'), name: t.exposeString('name') }),
})

export const MemberTokenType = builder.prismaObject('AccessToken', {
  variant: 'MemberToken',
  fields: (t) => ({
    id: t.exposeID('id'),
    // Nullable in the database only because team tokens have no user.
    user: t.relation('user', { type: TokenOwnerType, describedBy: 'AccessToken.userId', nullable: false, onNull: 'error' }),
    name: t.exposeString('name'),
    hint: t.string(hintField),
    previousValue: t.field(previousValueField),
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
})

/** The personal tokens that can access a team now. The condition is that of src/auth/authenticate.ts. */
export const tokensWithAccess = (teamId: string, now: Date): Prisma.AccessTokenWhereInput => ({
  kind: 'personal',
  ...liveTokens(now),
  AND: { OR: [{ teamIds: { isEmpty: true } }, { teamIds: { has: teamId } }] },
  NOT: { revokedTeamIds: { has: teamId } },
  user: { disabledAt: null, memberships: { some: { teamId } } },
})

builder.objectField(TeamType, 'personalTokens', (t) =>
  t.field({
    description: 'Metadata of the personal tokens of members that can access the team, newest first.',
    type: pageType('MemberTokenPage', MemberTokenType),
    complexity: listComplexity,
    requires: seeTeamAccess,
    args: pageArguments,
    resolve: (team, args, context, info) => {
      const { prisma } = context.database
      const where = tokensWithAccess(team.id, context.now())
      const query = queryFromInfo({ context, info, typeName: 'MemberToken', path: ['nodes'] })
      return loadPage(args, {
        count: () => prisma.accessToken.count({ where }),
        find: (window) => prisma.accessToken.findMany({ ...query, where, orderBy: newestFirst, ...window }),
      })
    },
  }),
)
