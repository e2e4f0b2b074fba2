import type pg from 'pg'
import type { ClientTeam } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement.ts'
import type { SigningAlgorithm } from '../../../schema/signing-algorithm.ts'

/** A registered client, as every step of the authorization server needs it. */
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
  postLogoutRedirectUris: string[]
  backchannelLogoutUri: string | null
  idTokenAlgorithm: SigningAlgorithm
  /** SHA-256 of each secret that is live now, in hex. */
  secretHashes: string[]
}

const clientByPublicId = statement<Client, [clientId: string, now: Date]>(
  'client_by_public_id',
  `SELECT c.id, c.client_id AS "clientId", c.name, c.description, to_json(c.redirect_uris) AS "redirectUris", c.confidential,
     to_json(c.grant_types) AS "grantTypes", to_json(c.required_scopes) AS "requiredScopes", to_json(c.optional_scopes) AS "optionalScopes",
     c.team, c.refresh_replay_seconds AS "refreshReplaySeconds", c.logo_uri AS "logoUri",
     to_json(c.post_logout_redirect_uris) AS "postLogoutRedirectUris", c.backchannel_logout_uri AS "backchannelLogoutUri",
     c.id_token_algorithm AS "idTokenAlgorithm",
     (SELECT coalesce(json_agg(encode(s.hash, 'hex') ORDER BY s.created_at DESC), '[]') FROM oauth_client_secrets s
      WHERE s.oauth_client_id = c.id AND (s.expires_at IS NULL OR s.expires_at > $2)) AS "secretHashes"
   FROM oauth_clients c WHERE c.client_id = $1 AND c.disabled_at IS NULL`,
)

/** The client of this public identifier; null for what is unknown or disabled, which nobody outside can tell apart. */
export async function findClient(pool: pg.Pool, clientId: string, now: Date): Promise<Client | null> {
  // A NUL would be PostgreSQL's error, not an unknown client.
  if (clientId.length > 255 || clientId.includes('\0')) return null
  const [client] = await clientByPublicId(pool, clientId, now)
  return client ?? null
}
