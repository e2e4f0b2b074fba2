import type { ClientState, ClientTeam } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import type { PublicKey } from '../../../schema/oauth/public-keys.ts'
import type { SigningAlgorithm } from '../../../schema/oauth/signing-keys/signing-algorithm.ts'
import { selectModel } from './live-grants.ts'
import type { StoredModel } from './live-grants.ts'

/** A registered client. */
export interface Client {
  /** Internal key. */
  id: string
  clientId: string
  name: string
  description: string | null
  redirectUris: string[]
  confidential: boolean
  grantTypes: string[]
  requiredScopes: string[]
  optionalScopes: string[]
  team: ClientTeam
  refreshReplaySeconds: number
  logoUri: string | null
  publisher: string | null
  verified: boolean
  clientUri: string | null
  policyUri: string | null
  tosUri: string | null
  postLogoutRedirectUris: string[]
  backchannelLogoutUri: string | null
  idTokenAlgorithm: SigningAlgorithm
  dpopBoundAccessTokens: boolean
  /** Until it is `listed`, only members of the team can connect it. */
  state: ClientState
  /** Internal key of the team that registered it; null for a client of the operator. */
  ownerTeamId: string | null
  requirePushedAuthorizationRequests: boolean
  /** Whether only keys authenticate the client, and not its secrets. */
  requireKeyAuthentication: boolean
  jwks: { keys: PublicKey[] } | null
  jwksUri: string | null
  /** SHA-256 of each secret that is valid now, in hex. */
  secretHashes: string[]
  /** The model that was read along with the client, or null. */
  model: StoredModel | null
}

/** Identifies a code or token that the client's request presents. */
export interface ModelKey {
  hash: Buffer
  kind: string
}

// SQL, because every request of a client runs it. The same statement reads the secrets and the code or token. A condition that turns the
// latter off would cost the other requests of clients about 100 µs, since PostgreSQL prepares every join for each execution.
const selectClient = (model: string) =>
  `SELECT c.id, c.client_id AS "clientId", c.name, c.description, to_json(c.redirect_uris) AS "redirectUris", c.confidential,
     to_json(c.grant_types) AS "grantTypes", to_json(c.required_scopes) AS "requiredScopes", to_json(c.optional_scopes) AS "optionalScopes",
     c.team, c.refresh_replay_seconds AS "refreshReplaySeconds", c.logo_uri AS "logoUri", c.publisher, c.verified,
     c.client_uri AS "clientUri", c.policy_uri AS "policyUri", c.tos_uri AS "tosUri",
     to_json(c.post_logout_redirect_uris) AS "postLogoutRedirectUris", c.backchannel_logout_uri AS "backchannelLogoutUri",
     c.id_token_algorithm AS "idTokenAlgorithm", c.dpop_bound_access_tokens AS "dpopBoundAccessTokens",
     c.state, c.owner_team_id AS "ownerTeamId",
     c.require_pushed_authorization_requests AS "requirePushedAuthorizationRequests",
     c.require_key_authentication AS "requireKeyAuthentication", c.jwks, c.jwks_uri AS "jwksUri",
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
 * Returns the client with this public identifier, or null if it is unknown or disabled, which responses do not distinguish. Reads
 * the model, too, if there is a key.
 */
export async function findClient(pool: StatementPool, clientId: string, now: Date, key: ModelKey | null = null): Promise<Client | null> {
  // PostgreSQL would report an error for a NUL.
  if (clientId.length > 255 || clientId.includes('\0')) return null
  const [client] = await (key ? clientWithModel(pool, clientId, now, key.hash, key.kind) : clientByPublicId(pool, clientId, now))
  return client ?? null
}
