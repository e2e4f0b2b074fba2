import type { QueryBuilder, Transaction } from '../../prisma/transaction.ts'
import type { ClientTeam } from '../../prisma/generated/client/enums.ts'
import type { OAuthClient, OAuthClientSecret, Prisma } from '../../prisma/generated/client/client.ts'
import { enumType } from '../builder/enum-type.ts'
import { builder } from '../builder/builder.ts'
import { notFound } from '../core/errors.ts'
import { identifierOf } from '../core/global-id.ts'
import { isClientIdentifier } from './client-rules.ts'
import { isLive, longestValidFirst } from './client-secret.ts'
import { listComplexity, loadPage, pageArguments, pageType } from '../builder/pagination.ts'
import { operatorOnly } from '../core/requires.ts'

export const ClientTeamType = enumType('ClientTeam', 'Whether the grants of a client have a team.', {
  none: 'Grants have no team.',
  optional: 'A user may select a team.',
  required: 'A user must select a team.',
} satisfies Record<ClientTeam, string>)

const ClientSecretType = builder.prismaObject('OAuthClientSecret', {
  name: 'OAuthClientSecret',
  fields: (t) => ({
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true }),
  }),
})

export type ClientWithSecrets = OAuthClient & { secrets: OAuthClientSecret[] }

/** Relations that are loaded with a client. */
export const clientParts = { secrets: { orderBy: longestValidFirst } } as const satisfies Prisma.OAuthClientInclude

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
    publisher: t.exposeString('publisher', { nullable: true }),
    verified: t.exposeBoolean('verified'),
    clientUri: t.exposeString('clientUri', { nullable: true }),
    policyUri: t.exposeString('policyUri', { nullable: true }),
    tosUri: t.exposeString('tosUri', { nullable: true }),
    postLogoutRedirectUris: t.exposeStringList('postLogoutRedirectUris'),
    backchannelLogoutUri: t.exposeString('backchannelLogoutUri', { nullable: true }),
    idTokenSignedResponseAlg: t.exposeString('idTokenAlgorithm'),
    disabledAt: t.expose('disabledAt', { type: 'DateTime', nullable: true }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
    secrets: t.field({
      description: 'The valid secrets, without their values. During a rotation there are two, the newer one first.',
      type: [ClientSecretType],
      resolve: ({ secrets }, _, { now }) => secrets.filter((secret) => isLive(secret, now())),
    }),
  }),
})

export const ClientPageType = pageType('OAuthClientPage', ClientType)

builder.queryFields((t) => ({
  clients: t.field({
    description: 'All OAuth clients, ordered by identifier. For operators.',
    type: ClientPageType,
    complexity: listComplexity,
    requires: operatorOnly,
    args: pageArguments,
    resolve: (_, args, { database: { prisma } }) =>
      loadPage(args, {
        count: () => prisma.oAuthClient.count(),
        find: (window) => prisma.oAuthClient.findMany({ include: clientParts, orderBy: { clientId: 'asc' }, ...window }),
      }),
  }),
  client: t.field({
    description: 'One OAuth client. For operators.',
    type: ClientType,
    requires: operatorOnly,
    args: { clientId: t.arg.id({ required: true, description: 'The client’s public identifier.' }) },
    resolve: (_, { clientId }, { database }) => findClient(database, clientId),
  }),
}))

/** Returns the public identifier in an argument that takes it or a global id. Throws `not_found` for what can be neither. */
function clientIdOf(given: string): string {
  const clientId = identifierOf(given, ['OAuthClient', 'GrantClient'])
  if (!isClientIdentifier(clientId)) throw notFound()
  return clientId
}

/** Returns the client with this public identifier or global id. Throws `not_found`. */
export async function findClient({ prisma }: QueryBuilder, given: string): Promise<ClientWithSecrets> {
  const client = await prisma.oAuthClient.findUnique({ where: { clientId: clientIdOf(given) }, include: clientParts })
  if (!client) throw notFound()
  return client
}

// NO KEY: inserting a grant, which refers to this row, does not have to wait.
const lockedClient = `SELECT id, client_id AS "clientId", name, description, redirect_uris AS "redirectUris", confidential,
    grant_types AS "grantTypes", required_scopes AS "requiredScopes", optional_scopes AS "optionalScopes", team,
    refresh_replay_seconds AS "refreshReplaySeconds", logo_uri AS "logoUri", publisher, verified,
    client_uri AS "clientUri", policy_uri AS "policyUri", tos_uri AS "tosUri", post_logout_redirect_uris AS "postLogoutRedirectUris",
    backchannel_logout_uri AS "backchannelLogoutUri", id_token_algorithm AS "idTokenAlgorithm", disabled_at AS "disabledAt",
    created_at AS "createdAt", updated_at AS "updatedAt"
  FROM oauth_clients WHERE client_id = $1 FOR NO KEY UPDATE`

// The order of `longestValidFirst`.
const secretsOfClient = `SELECT id, oauth_client_id AS "oauthClientId", hash, created_at AS "createdAt", expires_at AS "expiresAt"
  FROM oauth_client_secrets WHERE oauth_client_id = (SELECT id FROM oauth_clients WHERE client_id = $1)
  ORDER BY expires_at DESC NULLS FIRST, created_at DESC, id DESC`

/** Does the same, and locks the client against other changes until the transaction ends. */
export async function lockClient(transaction: Transaction, given: string): Promise<ClientWithSecrets> {
  const values = [clientIdOf(given)]
  const [clients, secrets] = await Promise.all([
    transaction.query({ name: 'lock_client', text: lockedClient, values }),
    transaction.query({ name: 'secrets_of_client', text: secretsOfClient, values }),
  ])
  const client: OAuthClient | undefined = clients.rows[0]
  if (!client) throw notFound()
  return { ...client, secrets: secrets.rows }
}
