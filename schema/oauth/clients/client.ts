import type { Database } from '../../../prisma/connection/database.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import { clientColumns, clientSecretColumns, readRow, readRows } from '../../../prisma/statement/read-row.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import type { ClientSource, ClientState, ClientTeam } from '../../../prisma/generated/client/enums.ts'
import type { OAuthClient, OAuthClientSecret, Prisma } from '../../../prisma/generated/client/client.ts'
import { enumType } from '../../builder/enum-type.ts'
import { builder } from '../../builder/builder.ts'
import { notFound } from '../../core/errors.ts'
import { parseIdentifier } from '../../core/global-id.ts'
import { isClientIdentifier } from './client-rules.ts'
import { parseStoredKeySet } from './key-set.ts'
import { getProperty, mapByType } from './map-members.ts'
import { isLive, longestValidFirst } from './client-secret.ts'
import { listComplexity, loadPage, pageArguments, pageType } from '../../builder/pagination.ts'
import { connectionType } from '../../lists/connection.ts'
import { operatorOnly } from '../../core/requires.ts'

export const ClientTeamType = enumType('ClientTeam', 'Whether the grants of a client have a team.', {
  none: 'Grants have no team.',
  optional: 'A user may select a team.',
  required: 'A user must select a team.',
} satisfies Record<ClientTeam, string>)

export const ClientStateType = enumType('ClientState', 'The state of a client that a team has registered.', {
  draft: 'Only members of its team can connect it.',
  submitted: 'It is waiting for review by an operator. Only members of its team can connect it.',
  listed: 'Everyone can connect it.',
  rejected: 'An operator rejected it, for the reason in `rejectionReason`. Only members of its team can connect it.',
} satisfies Record<ClientState, string>)

export const ClientSourceType = enumType('ClientSource', 'Where the registration of a client comes from.', {
  operator: 'An operator registered it.',
  team: 'It belongs to a team.',
  metadata: 'Its identifier is the URL of a document, which describes it.',
  registration: 'It registered itself with a token of a team.',
} satisfies Record<ClientSource | 'operator' | 'team', string>)

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
    ...mapByType({
      uri: (member) => t.exposeString(getProperty(member), { nullable: true }),
      name: (member) => t.exposeString(getProperty(member), { nullable: true }),
      uris: (member) => t.exposeStringList(getProperty(member)),
      number: (member) => t.exposeInt(getProperty(member)),
      flag: (member) => t.exposeBoolean(getProperty(member)),
      algorithm: (member) => t.exposeString(getProperty(member)),
      keySet: () =>
        t.field({ type: 'JSON', nullable: true, describedBy: 'OAuthClient.jwks', resolve: ({ jwks }) => parseStoredKeySet(jwks) }),
    }),
    source: t.field({
      type: ClientSourceType,
      description: 'Where the registration comes from.',
      resolve: ({ source, ownerTeamId }) => source ?? (ownerTeamId === null ? 'operator' : 'team'),
    }),
    metadataUrl: t.string({
      description: 'URL of the document that describes the client, which is also its identifier. Null for other clients.',
      nullable: true,
      resolve: ({ source, clientId }) => (source === 'metadata' ? clientId : null),
    }),
    fetchedAt: t.expose('fetchedAt', { type: 'DateTime', nullable: true }),
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
export const clientConnection = connectionType('OAuthClient', ClientType)

builder.queryFields((t) => ({
  clients: t.field({
    description: 'All OAuth clients, ordered by identifier. For operators.',
    type: ClientPageType,
    complexity: listComplexity,
    requires: operatorOnly,
    args: {
      ...pageArguments,
      state: t.arg({
        type: ClientStateType,
        description: 'Only clients in this state. With `SUBMITTED`, also listed clients with proposed changes.',
      }),
      source: t.arg({ type: ClientSourceType, description: 'Only clients with this source.' }),
    },
    resolve: (_, { state = null, source = null, ...args }, { database: { pool } }) =>
      loadPage(args, {
        count: () => countClients(pool, state, source),
        find: (limit, offset) => readPage(pool, limit, offset, [state, source]),
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

/** Returns the public identifier in an argument that accepts it or a global id; other texts unchanged. */
export const parseClientReference = (globalId: string): string => parseIdentifier(globalId, ['OAuthClient', 'GrantClient'])

/** Returns the public identifier, like `parseClientReference`. Throws `not_found` for other texts. */
function parseClientId(globalId: string): string {
  const clientId = parseClientReference(globalId)
  if (!isClientIdentifier(clientId)) throw notFound()
  return clientId
}

/** Returns the client with this public identifier or global id. Throws `not_found`. */
export async function findClient({ prisma }: Database, globalId: string): Promise<ClientWithSecrets> {
  const client = await prisma.oAuthClient.findUnique({ where: { clientId: parseClientId(globalId) }, include: clientParts })
  if (!client) throw notFound()
  return client
}

/** Builds the condition for a client of a team that waits for a review: submitted, or listed with proposed changes. */
export const isWaitingForReview = (client: string) => `(${client}.state = 'submitted' OR ${client}.proposed_changes IS NOT NULL)`

/** Builds the condition for a client in a state. A listed one with proposed changes waits for a review, like a submitted one. */
export const isInState = (client: string, state: string) =>
  `(${client}.state = ${state} OR (${state} = 'submitted' AND ${client}.proposed_changes IS NOT NULL))`
const isSelected = (state: string, source: string) =>
  `(${state}::"ClientState" IS NULL OR ${isInState('c', state)})
   AND (${source}::text IS NULL OR ${source} = coalesce(c.source::text, CASE WHEN c.owner_team_id IS NULL THEN 'operator' ELSE 'team' END))`
type Selection = [state: ClientState | null, source: typeof ClientSourceType.$inferType | null]
const countClients = statement<{ count: number }, Selection>(
  'count_clients',
  `SELECT count(*) AS count FROM oauth_clients c WHERE ${isSelected('$1', '$2')}`,
)
const clientsPage = `SELECT ${clientColumns} FROM oauth_clients c WHERE ${isSelected('$3', '$4')} ORDER BY client_id LIMIT $1 OFFSET $2`
// Builds SQL for the secrets in the order of `longestValidFirst`.
const secretsSql = (clients: string) =>
  `SELECT ${clientSecretColumns} FROM oauth_client_secrets s WHERE oauth_client_id ${clients} ORDER BY expires_at DESC NULLS FIRST, created_at DESC, id DESC`
const secretsOfClients = secretsSql('= ANY ($1::uuid[])')

async function readPage(pool: StatementPool, limit: number, offset: number, selection: Selection): Promise<ClientWithSecrets[]> {
  const clients = await readRows<OAuthClient>(pool, 'clients_page', clientsPage, [limit, offset, ...selection])
  const ids = clients.map(({ id }) => id)
  const secrets = await readRows<OAuthClientSecret>(pool, 'secrets_of_clients', secretsOfClients, [ids])
  const byClient = Map.groupBy(secrets, ({ oauthClientId }) => oauthClientId)
  return clients.map((client) => Object.assign(client, { secrets: byClient.get(client.id) ?? [] }))
}

// The lock is NO KEY, so that inserting a grant, which refers to this row, does not have to wait.
const lockedClient = `SELECT ${clientColumns} FROM oauth_clients c WHERE client_id = $1 FOR NO KEY UPDATE`
const secretsOfClient = secretsSql('= (SELECT id FROM oauth_clients WHERE client_id = $1)')

/** Returns the client like `findClient`, and locks it against other changes until the transaction ends. */
export async function lockClient(transaction: Transaction, globalId: string): Promise<ClientWithSecrets> {
  const clientId = parseClientId(globalId)
  const [client, secrets] = await Promise.all([
    readRow<OAuthClient>(transaction, 'lock_client', lockedClient, clientId),
    readRows<OAuthClientSecret>(transaction, 'secrets_of_client', secretsOfClient, [clientId]),
  ])
  if (!client) throw notFound()
  return { ...client, secrets }
}
