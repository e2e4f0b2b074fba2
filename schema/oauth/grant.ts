import { queryFromInfo } from '@pothos/plugin-prisma'
import type { Prisma } from '../../prisma/generated/client/client.ts'
import { PersonType, personColumns } from '../teams/person.ts'
import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { seeTeamAccess } from '../core/requires.ts'
import { isScope, scopes as catalogue, tokenScopes } from '../core/scopes.ts'
import { TeamType } from '../teams/team.ts'
import { isIdentifier } from '../core/validation.ts'
import { countGrantsWithAccess, selectGrantsWithAccess } from './grant-queries.ts'
import { identifierOf } from '../core/global-id.ts'

export const GrantClientType = builder.prismaObject('OAuthClient', {
  variant: 'GrantClient',
  fields: (t) => ({
    clientId: t.exposeString('clientId'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    logoUri: t.exposeString('logoUri', { nullable: true }),
    publisher: t.exposeString('publisher', { nullable: true }),
    verified: t.exposeBoolean('verified'),
    clientUri: t.exposeString('clientUri', { nullable: true }),
    policyUri: t.exposeString('policyUri', { nullable: true }),
    tosUri: t.exposeString('tosUri', { nullable: true }),
  }),
})

/** The granted scopes that cannot be removed: those that the client requires, and those that can never be declined. */
export const fixedScopes = ({ scopes, client }: { scopes: string[]; client: { requiredScopes: string[] } }): string[] =>
  scopes.filter((scope) => client.requiredScopes.includes(scope) || (isScope(scope) && !catalogue[scope].declinable))

export const GrantType = builder.prismaObject('OAuthGrant', {
  name: 'Grant',
  fields: (t) => ({
    grantId: t.exposeID('id'),
    user: t.field({
      type: PersonType,
      describedBy: 'OAuthGrant.userId',
      select: { user: personColumns },
      resolve: ({ user }) => user,
    }),
    client: t.relation('client', { type: GrantClientType, describedBy: 'OAuthGrant.oauthClientId' }),
    teamSlug: t.string({
      description: 'Slug of the grant’s team. Null if the grant is not limited to a team.',
      nullable: true,
      select: { team: { select: { slug: true } } },
      resolve: ({ team }) => team?.slug ?? null,
    }),
    scopes: t.exposeStringList('scopes'),
    fixedScopes: t.stringList({
      description: 'The granted scopes that the client requires. They can be removed only by revoking the grant.',
      select: { scopes: true, client: { select: { requiredScopes: true } } },
      resolve: fixedScopes,
    }),
    declinedScopes: t.stringList({
      description: 'The scopes that the user declined or removed, without those that an earlier authorization of the grant still has.',
      select: { scopes: true, declinedScopes: true },
      resolve: ({ scopes, declinedScopes }) => declinedScopes.filter((scope) => !scopes.includes(scope)),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
})

export const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.OAuthGrantOrderByWithRelationInput[]

/** Grants that are neither revoked nor expired nor for a deleted team. */
export const liveGrants = (now: Date): Prisma.OAuthGrantWhereInput => ({
  revokedAt: null,
  expiresAt: { gt: now },
  AND: { OR: [{ teamId: null }, { team: { deletedAt: null } }] },
})

/**
 * The live grants that can access a team: those for this team, and those of its members that are not limited to a team and have
 * a scope for teams, except grants whose access to the team was revoked.
 */
export const grantsWithAccess = (teamId: string, now: Date): Prisma.OAuthGrantWhereInput => ({
  ...liveGrants(now),
  NOT: { revokedTeamIds: { has: teamId } },
  OR: [{ teamId }, { teamId: null, scopes: { hasSome: tokenScopes }, user: { memberships: { some: { teamId } } } }],
})

builder.objectFields(TeamType, (t) => ({
  grants: t.field({
    description: 'The live grants that can access the team, newest first.',
    type: pageType('GrantPage', GrantType),
    complexity: listComplexity,
    requires: seeTeamAccess,
    args: pageArguments,
    resolve: async (team, args, context, info) => {
      const { prisma, pool } = context.database
      const { page, perPage, offset } = slice(args)
      const parameters = [team.id, tokenScopes, context.now()] as const
      const [[counted], rows] = await Promise.all([
        countGrantsWithAccess(pool, ...parameters),
        selectGrantsWithAccess(pool, ...parameters, perPage, offset),
      ])
      const where = { id: { in: rows.map(({ id }) => id) } }
      const query = queryFromInfo({ context, info, typeName: 'Grant', path: ['nodes'] })
      const nodes = await prisma.oAuthGrant.findMany({ ...query, where, orderBy: newestFirst })
      return { nodes, total: counted?.total ?? 0, page, perPage }
    },
  }),
  grant: t.prismaField({
    description: 'One live grant that can access the team.',
    type: GrantType,
    requires: seeTeamAccess,
    args: { id: t.arg.id({ required: true, description: 'The grant’s identifier.' }) },
    resolve: async (query, team, args, { database: { prisma }, now }) => {
      const id = identifierOf(args.id, ['Grant'])
      const where = { id, ...grantsWithAccess(team.id, now()) }
      const grant = isIdentifier(id) ? await prisma.oAuthGrant.findFirst({ ...query, where }) : null
      if (!grant) throw notFound()
      return grant
    },
  }),
}))
