import type { Transaction } from '../prisma/client.ts'
import { ClientTeam } from '../prisma/generated/client/enums.ts'
import type { Prisma } from '../prisma/generated/client/client.ts'
import { enumType } from './application.ts'
import { builder } from './builder.ts'
import { about } from './description.ts'
import { notFound } from './errors.ts'
import { isClientIdentifier } from './oauth-client-rules.ts'
import { isLive, longestFirst } from './oauth-client-secret.ts'
import { listComplexity, pageArguments, pageType, slice } from './pagination.ts'
import { operatorOnly } from './requires.ts'

export const ClientTeamType = enumType('ClientTeam', about('OAuthClient.team'), ClientTeam)

const ClientSecretType = builder.prismaObject('OAuthClientSecret', {
  name: 'OAuthClientSecret',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
})

/** What a client is told with. */
export const clientParts = { secrets: { orderBy: longestFirst } } as const satisfies Prisma.OAuthClientInclude

export const ClientType = builder.prismaObject('OAuthClient', {
  include: clientParts,
  fields: (t) => ({
    clientId: t.exposeID('clientId'),
    name: t.exposeString('name'),
    description: t.exposeString('description', { nullable: true }),
    redirectUris: t.exposeStringList('redirectUris'),
    confidential: t.exposeBoolean('confidential'),
    grantTypes: t.exposeStringList('grantTypes'),
    requiredScopes: t.exposeStringList('requiredScopes'),
    optionalScopes: t.exposeStringList('optionalScopes'),
    team: t.expose('team', { type: ClientTeamType }),
    refreshReplaySeconds: t.exposeInt('refreshReplaySeconds'),
    logoUri: t.exposeString('logoUri', { nullable: true }),
    postLogoutRedirectUris: t.exposeStringList('postLogoutRedirectUris'),
    backchannelLogoutUri: t.exposeString('backchannelLogoutUri', { nullable: true }),
    idTokenSignedResponseAlg: t.exposeString('idTokenAlgorithm'),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    secrets: t.field({
      description: 'The secrets that work at present, never their values: during a rotation two, the newer first.',
      type: [ClientSecretType],
      resolve: ({ secrets }, _, { now }) => secrets.filter((secret) => isLive(secret, now())),
    }),
  }),
})

builder.queryFields((t) => ({
  clients: t.field({
    description: 'All OAuth clients, by their identifiers. For operators.',
    type: pageType('OAuthClientPage', ClientType),
    complexity: listComplexity,
    requires: operatorOnly,
    args: pageArguments,
    resolve: async (_, args, { database: { prisma } }) => {
      const { page, perPage, offset } = slice(args)
      const [total, nodes] = await Promise.all([
        prisma.oAuthClient.count(),
        prisma.oAuthClient.findMany({ include: clientParts, orderBy: { clientId: 'asc' }, skip: offset, take: perPage }),
      ])
      return { nodes, total, page, perPage }
    },
  }),
  client: t.field({
    description: 'One OAuth client. For operators.',
    type: ClientType,
    requires: operatorOnly,
    args: { clientId: t.arg.id({ required: true, description: 'The client’s public identifier.' }) },
    resolve: (_, { clientId }, { database }) => findClient(database.prisma, clientId),
  }),
}))

/** The client of this public identifier, or `not_found`. */
export async function findClient(prisma: Transaction, clientId: string) {
  const client = isClientIdentifier(clientId) ? await prisma.oAuthClient.findUnique({ where: { clientId }, include: clientParts }) : null
  if (!client) throw notFound()
  return client
}

/** The same under the lock that every change of a client holds, so that what was read stays true. */
export async function lockClient(transaction: Transaction, clientId: string) {
  // NO KEY: grants refer to the row, and a sign-in that makes one does not wait for this.
  if (isClientIdentifier(clientId)) await transaction.$queryRaw`SELECT 1 FROM oauth_clients WHERE client_id = ${clientId} FOR NO KEY UPDATE`
  return findClient(transaction, clientId)
}
