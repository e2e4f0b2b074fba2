import type { Prisma } from '../prisma/generated/client/client.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { about } from './description.ts'
import { notFound } from './errors.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { watchTeam } from './requires.ts'
import { isScope, scopes as catalogue, tokenScopes } from './scopes.ts'
import { TeamType } from './team.ts'
import { isIdentifier } from './validation.ts'
import { countTouching, pageTouching } from './grant-statements.ts'

const GrantUserType = builder.objectRef<{ id: string; name: string }>('GrantUser').implement({
  description: about('OAuthGrant.userId'),
  fields: (t) => ({
    id: t.exposeID('id', { description: about('User.id') }),
    name: t.exposeString('name', { description: about('User.name') }),
  }),
})

interface GrantClient {
  clientId: string
  name: string
  description: string | null
  logoUri: string | null
}
const GrantClientType = builder.objectRef<GrantClient>('GrantClient').implement({
  description: about('OAuthClient'),
  fields: (t) => ({
    clientId: t.exposeString('clientId', { description: about('OAuthClient.clientId') }),
    name: t.exposeString('name', { description: about('OAuthClient.name') }),
    description: t.exposeString('description', { nullable: true, description: about('OAuthClient.description') }),
    logoUri: t.exposeString('logoUri', { nullable: true, description: about('OAuthClient.logoUri') }),
  }),
})

/** What a grant is told with. */
export const grantParts = {
  user: { select: { id: true, name: true } },
  client: { select: { clientId: true, name: true, description: true, logoUri: true, requiredScopes: true } },
  team: { select: { slug: true } },
} as const satisfies Prisma.OAuthGrantInclude

/** As on the consent page: what the client requires, and what no client can do without. */
export const fixedScopes = ({ scopes, client }: { scopes: string[]; client: { requiredScopes: string[] } }): string[] =>
  scopes.filter((scope) => client.requiredScopes.includes(scope) || (isScope(scope) && !catalogue[scope].declinable))

export const GrantType = builder.prismaObject('OAuthGrant', {
  name: 'Grant',
  include: grantParts,
  fields: (t) => ({
    id: t.exposeID('id'),
    user: t.field({ description: about('OAuthGrant.userId'), type: GrantUserType, resolve: ({ user }) => user }),
    client: t.field({ description: about('OAuthGrant.oauthClientId'), type: GrantClientType, resolve: ({ client }) => client }),
    teamSlug: t.string({
      description: 'Slug of the team selected; null for no team in particular.',
      nullable: true,
      resolve: ({ team }) => team?.slug ?? null,
    }),
    scopes: t.exposeStringList('scopes'),
    fixedScopes: t.stringList({
      description: 'Those of the scopes granted that cannot be taken away, but with the whole grant: the client requires them.',
      resolve: fixedScopes,
    }),
    declinedScopes: t.exposeStringList('declinedScopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
})

const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }] satisfies Prisma.OAuthGrantOrderByWithRelationInput[]

/** Grants that are neither revoked nor expired, newest first. */
export const findGrants = ({ database: { prisma }, now }: Context, where: Prisma.OAuthGrantWhereInput) =>
  prisma.oAuthGrant.findMany({ where: { AND: [liveGrants(now()), where] }, include: grantParts, orderBy: newestFirst })

/** Neither revoked nor expired. */
export const liveGrants = (now: Date): Prisma.OAuthGrantWhereInput => ({ revokedAt: null, expiresAt: { gt: now } })

/**
 * The live grants that touch a team: those for which it was selected, and those for no team in particular of its members
 * that carry what reaches teams; without those it was cut from.
 */
export const touching = (teamId: string, now: Date): Prisma.OAuthGrantWhereInput => ({
  ...liveGrants(now),
  NOT: { cutTeamIds: { has: teamId } },
  OR: [{ teamId }, { teamId: null, scopes: { hasSome: tokenScopes }, user: { memberships: { some: { teamId } } } }],
})

builder.objectFields(TeamType, (t) => ({
  grants: t.field({
    description: 'What people allow clients at present that touches the team, newest first.',
    type: pageType('GrantPage', GrantType),
    complexity: listComplexity,
    requires: watchTeam,
    args: pageArguments,
    resolve: async (team, args, { database: { prisma, pool }, now }) => {
      const { page, perPage, offset } = slice(args)
      const asked = [team.id, tokenScopes, now()] as const
      const [[counted], found] = await Promise.all([countTouching(pool, ...asked), pageTouching(pool, ...asked, perPage, offset)])
      const where = { id: { in: found.map(({ id }) => id) } }
      const nodes = await prisma.oAuthGrant.findMany({ where, include: grantParts, orderBy: newestFirst })
      return { nodes, total: counted?.total ?? 0, page, perPage }
    },
  }),
  grant: t.field({
    description: 'One grant that touches the team.',
    type: GrantType,
    requires: watchTeam,
    args: { id: t.arg.id({ required: true, description: 'The grant’s identifier.' }) },
    resolve: async (team, { id }, { database: { prisma }, now }) => {
      const where = { id, ...touching(team.id, now()) }
      const grant = isIdentifier(id) ? await prisma.oAuthGrant.findFirst({ where, include: grantParts }) : null
      if (!grant) throw notFound()
      return grant
    },
  }),
}))
