import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import { registrationProperties, selectClientColumns } from '../../../schema/oauth/clients/client-row.ts'
import type { RegistrationColumns } from '../../../schema/oauth/clients/client-rules.ts'
import { optionalMembers } from '../../../schema/oauth/clients/optional-members.ts'
import type { MemberOf, MemberType } from '../../../schema/oauth/clients/optional-members.ts'
import { selectModel } from './live-grants.ts'
import type { StoredModel } from './live-grants.ts'

/** A registered client. */
export interface Client extends RegistrationColumns, Pick<OAuthClient, (typeof otherProperties)[number]> {
  /** SHA-256 of each secret that is valid now, in hex. */
  secretHashes: string[]
  /** The model that was read together with the client, or null. */
  model: StoredModel | null
}

/** Identifier of the code or token in the client's request. */
export interface ModelKey {
  hash: Buffer
  kind: string
}

/** Further properties of a client: internal keys, and the state. Only members of its team can connect it until it is `listed`. */
const otherProperties = ['id', 'clientId', 'state', 'source', 'ownerTeamId'] as const

// This is SQL, because every request of a client runs it. The same statement reads the secrets and the code or token. A condition that
// disables the latter would cost the other requests of clients about 100 µs, because PostgreSQL prepares every join for each execution.
const selectClient = (model: string) =>
  `SELECT ${selectClientColumns('c', [...otherProperties, ...registrationProperties])},
     (SELECT coalesce(json_agg(encode(s.hash, 'hex') ORDER BY s.created_at DESC), '[]') FROM oauth_client_secrets s
      WHERE s.oauth_client_id = c.id AND (s.expires_at IS NULL OR s.expires_at > $2)) AS "secretHashes",
     ${model} AS model
   FROM oauth_clients c WHERE c.client_id = $1 AND c.disabled_at IS NULL`

const clientByPublicId = statement<Client, [clientId: string, now: Date]>('client_by_public_id', selectClient('NULL'), {
  startsRequests: true,
})
const clientWithModel = statement<Client, [clientId: string, now: Date, hash: Buffer, kind: string]>(
  'client_with_model',
  selectClient(`(SELECT row_to_json(found) FROM (${selectModel('id_hash', '$3', '$4', '$2')}) found)`),
)

/**
 * Returns the client with this public identifier, or null if it is unknown or disabled, which responses do not distinguish. If there is a
 * key, it reads the model, too.
 */
export async function findClient(pool: StatementPool, clientId: string, now: Date, key: ModelKey | null = null): Promise<Client | null> {
  // PostgreSQL would report an error for a NUL.
  if (clientId.length > 255 || clientId.includes('\0')) return null
  const [client] = await (key ? clientWithModel(pool, clientId, now, key.hash, key.kind) : clientByPublicId(pool, clientId, now))
  return client ?? null
}

const rows: [member: string, MemberOf<MemberType>][] = Object.entries(optionalMembers)
const metadataMembers = rows.flatMap(([member, { isMetadata, name, property = member }]) => (isMetadata ? [{ name, property }] : []))

/** Returns the optional members that oidc-provider reads, without those that have no value. */
export function readOptionalMetadata(client: Client): object {
  const members = metadataMembers.map(({ name, property }): [string, unknown] => [name, Reflect.get(client, property)])
  return Object.fromEntries(members.filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)))
}
