import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import { isScope, scopes as catalogue } from '../../core/scopes.ts'
import { PersonType, personColumns } from '../../teams/person.ts'

/** The relations that are loaded with a grant. */
export const grantParts = {
  user: personColumns,
  client: {
    select: {
      clientId: true,
      name: true,
      description: true,
      logoUri: true,
      publisher: true,
      verified: true,
      clientUri: true,
      policyUri: true,
      tosUri: true,
      requiredScopes: true,
    },
  },
  team: { select: { slug: true } },
  provider: { select: { name: true } },
} as const satisfies Prisma.OAuthGrantInclude
export type GrantWithParts = Prisma.OAuthGrantGetPayload<{ include: typeof grantParts }>

export const GrantClientType = builder.objectRef<GrantWithParts['client']>('GrantClient').implement({
  describedBy: 'OAuthClient',
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

/** Returns the granted scopes that cannot be removed: those that the client requires, and those that can never be declined. */
export const fixedScopes = ({ scopes, client }: { scopes: string[]; client: { requiredScopes: string[] } }): string[] =>
  scopes.filter((scope) => client.requiredScopes.includes(scope) || (isScope(scope) && !catalogue[scope].declinable))

// `user` and `client` are fields and not relations of Pothos: lists read them with the grants, in one statement.
export const GrantType = builder.prismaObject('OAuthGrant', {
  name: 'Grant',
  include: grantParts,
  fields: (t) => ({
    grantId: t.exposeID('id'),
    user: t.field({ type: PersonType, describedBy: 'OAuthGrant.userId', resolve: ({ user }) => user }),
    client: t.field({ type: GrantClientType, describedBy: 'OAuthGrant.oauthClientId', resolve: ({ client }) => client }),
    teamSlug: t.string({
      description: 'Slug of the grant’s team. Null if the grant is not limited to a team.',
      nullable: true,
      resolve: ({ team }) => team?.slug ?? null,
    }),
    providerName: t.string({
      description: 'Name of the identity provider of the team that gave the access. Null if the user gave it.',
      nullable: true,
      resolve: ({ provider }) => provider?.name ?? null,
    }),
    scopes: t.exposeStringList('scopes'),
    fixedScopes: t.stringList({
      description: 'The granted scopes that the client requires. They can be removed only by revoking the grant.',
      resolve: fixedScopes,
    }),
    declinedScopes: t.stringList({
      description: 'The scopes that the user declined or removed, without those that an earlier authorization of the grant still has.',
      resolve: ({ scopes, declinedScopes }) => declinedScopes.filter((scope) => !scopes.includes(scope)),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
})
