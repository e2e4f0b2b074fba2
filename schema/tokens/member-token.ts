import { queryFromInfo } from '@pothos/plugin-prisma'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { PersonType, personColumns } from '../teams/person.ts'
import { builder } from '../builder/builder.ts'
import { listComplexity, loadPage, pageArguments, pageType } from '../builder/pagination.ts'
import { seeTeamAccess } from '../core/requires.ts'
import { TeamType } from '../teams/team.ts'
import { hintField, liveTokens, newestFirst, previousValueField } from './token.ts'

// Personal tokens of the members of a team, as its owners see them.

export const MemberTokenType = builder.prismaObject('AccessToken', {
  variant: 'MemberToken',
  fields: (t) => ({
    tokenId: t.exposeID('id'),
    user: t.field({
      type: PersonType,
      describedBy: 'AccessToken.userId',
      select: { user: personColumns },
      resolve: ({ user }) => {
        // Nullable in the database only because team tokens have no user.
        if (!user) throw new Error('a personal token has no user')
        return user
      },
    }),
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
