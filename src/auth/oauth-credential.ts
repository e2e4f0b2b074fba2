import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import type { UserPrincipal } from '../../schema/core/principals.ts'
import { effectiveScopes } from '../../schema/core/scopes.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import type { StoredTeamAccess } from '../../schema/core/team-access/queries.ts'
import { isUsableGrant, vouchedScopes } from '../../schema/core/team-access/live.ts'
import { grantReach } from '../../schema/core/team-access/reach.ts'
import { credentialStatement, teamsOfCredential } from './credential-teams.ts'

interface OAuthCredentialRow {
  grantId: string
  scopes: string[]
  /** Thumbprint of the key to which the token is bound (RFC 9449 §6.1), or null. */
  thumbprint: string | null
  /** The resource to which the token is limited (RFC 8707), or null. */
  audience: string | null
  expiresAt: string
  grantExpiresAt: string
  lastUsedAt: string | null
  clientId: string
  clientName: string
  /** Slug of the team of the grant, even if the grant can no longer access it. */
  teamSlug: string | null
  teamId: string | null
  revokedTeamIds: string[]
  /** The identity provider that gave the grant; null for a grant of the user. */
  providerId: string | null
  userId: string
  userName: string
  email: string
  emailVerified: boolean
  teams: StoredTeamAccess[] | null
}

/**
 * Finds an access token by its hash, with its grant, client, user and the teams that it can currently access. An expired or used token has
 * no row, nor has one whose grant or chain has ended, whose client or user is disabled or whose selected team is deleted. A scope counts if
 * token, chain and client have it, and if the identity provider that gave the grant may give it. Teams are those of the user, without those
 * whose owners have revoked the grant's access; with a team selected, only that one. This is SQL, because every request with an access token
 * runs it.
 */
const oauthCredentialByHash = credentialStatement<OAuthCredentialRow>(
  'oauth_credential_by_hash',
  grantReach('g'),
  (
    teams,
    join,
  ) => `SELECT g.id AS "grantId", a.payload->>'jkt' AS thumbprint, a.payload->>'aud' AS audience, a.expires_at AS "expiresAt", g.expires_at AS "grantExpiresAt", g.last_used_at AS "lastUsedAt",
     c.client_id AS "clientId", c.name AS "clientName", selected.slug AS "teamSlug",
     u.id AS "userId", u.name AS "userName", u.email, u.email_verified AS "emailVerified",
     to_json(ARRAY(SELECT s FROM unnest(string_to_array(a.payload->>'scope', ' ')) s
       WHERE s = ANY (k.scopes) AND (s = ANY (c.required_scopes) OR s = ANY (c.optional_scopes))
       AND (g.provider_id IS NULL OR s = ANY (${vouchedScopes('g')})))) AS scopes,
     g.provider_id AS "providerId",
     g.team_id AS "teamId", to_json(g.revoked_team_ids) AS "revokedTeamIds",
     ${teams} AS teams
   FROM oidc_models a JOIN token_chains k ON k.id = a.chain_id JOIN oauth_grants g ON g.id = k.grant_id JOIN oauth_clients c ON c.id = g.oauth_client_id JOIN users u ON u.id = g.user_id
     LEFT JOIN teams selected ON selected.id = g.team_id ${join}
   WHERE a.id_hash = $1 AND a.kind = 'AccessToken' AND a.consumed_at IS NULL AND a.expires_at > $2
     AND k.revoked_at IS NULL AND ${isUsableGrant('$2', 'selected')}`,
)

/** Returns true if a value has the form of an OAuth access token: 256 bits in base64url. */
export const isAccessToken = (value: string) => accessTokenPattern.test(value)
const accessTokenPattern = /^[A-Za-z0-9_-]{43}$/

export interface OAuthCredential {
  principal: UserPrincipal
  thumbprint: string | null
  audience: string | null
  /** Time of the last use of the grant, to the minute. */
  lastUsedAt: Date | null
}

/** Returns the principal of an access token; null if it is unknown or no longer valid. Runs one statement. */
export async function findOAuthCredential(
  pool: StatementPool,
  token: string,
  now: Date,
  slug: string | null,
): Promise<OAuthCredential | null> {
  const row = await oauthCredentialByHash(pool, sha256(token), now, slug)
  if (!row) return null
  const { userId: id, userName: name, email, emailVerified, clientId, clientName, teamSlug, teamId, revokedTeamIds, providerId } = row
  const principal: UserPrincipal = {
    kind: 'user',
    authenticationMethod: 'oauth',
    credentialId: row.grantId,
    scopes: effectiveScopes(row.scopes, null),
    teams: teamsOfCredential({ userId: id, teamIds: teamId === null ? null : [teamId], revokedTeamIds }, row.teams, slug),
    expiresAt: new Date(row.expiresAt),
    user: { id, name, email, emailVerified },
    staffRole: null,
    client: { clientId, name: clientName, team: teamSlug, grantExpiresAt: new Date(row.grantExpiresAt), providerId },
    authenticatedAt: null,
    provedTwoFactor: null,
    signIns: null,
    pictureId: null,
    lastTeamId: null,
    timeSettings: null,
  }
  const { thumbprint, audience } = row
  return { principal, thumbprint, audience, lastUsedAt: row.lastUsedAt === null ? null : new Date(row.lastUsedAt) }
}
