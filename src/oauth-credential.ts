import type pg from 'pg'
import { statement } from '../prisma/statement.ts'
import type { UserPrincipal } from '../schema/context.ts'
import { isScope } from '../schema/scopes.ts'
import { sha256 } from '../schema/secret.ts'
import { memberColumns, reachesOf } from './stored-reach.ts'
import type { StoredReach } from './stored-reach.ts'

interface OAuthCredentialRow {
  grantId: string
  scopes: string[]
  /** Thumbprint of the key the token is bound to (RFC 9449 §6.1), or null. */
  thumbprint: string | null
  expiresAt: string
  lastUsedAt: string | null
  clientId: string
  /** Slug of the team that was selected, whether it is within reach or not. */
  teamSlug: string | null
  userId: string
  userName: string
  email: string
  emailVerified: boolean
  teams: StoredReach[] | null
}

/**
 * An access token's hash → all that later checks need, of this very moment. What is expired, spent or gone has no row,
 * nor has one whose grant is over or whose client or person is barred. A scope counts while token, grant and client all
 * have it. Teams are the person's own, less those whose owners cut them off, and only the selected one where one is.
 */
const oauthCredentialByHash = statement<OAuthCredentialRow, [hash: Buffer, now: Date]>(
  'oauth_credential_by_hash',
  `SELECT g.id AS "grantId", a.payload->>'jkt' AS thumbprint, a.expires_at AS "expiresAt", g.last_used_at AS "lastUsedAt",
     c.client_id AS "clientId", (SELECT t.slug FROM teams t WHERE t.id = g.team_id) AS "teamSlug",
     u.id AS "userId", u.name AS "userName", u.email, u.email_verified AS "emailVerified",
     to_json(ARRAY(SELECT s FROM unnest(string_to_array(a.payload->>'scope', ' ')) s
       WHERE s = ANY (g.scopes) AND s <> ALL (g.declined_scopes) AND (s = ANY (c.required_scopes) OR s = ANY (c.optional_scopes)))) AS scopes,
     (SELECT json_agg(json_build_array(${memberColumns})) FROM members m JOIN teams t ON t.id = m.team_id
       WHERE m.user_id = g.user_id AND (g.team_id IS NULL OR m.team_id = g.team_id) AND m.team_id <> ALL (g.cut_team_ids)) AS teams
   FROM oauth_artifacts a JOIN oauth_grants g ON g.id = a.grant_id JOIN oauth_clients c ON c.id = g.oauth_client_id JOIN users u ON u.id = g.user_id
   WHERE a.id_hash = $1 AND a.kind = 'AccessToken' AND a.consumed_at IS NULL AND a.expires_at > $2
     AND g.revoked_at IS NULL AND g.expires_at > $2 AND c.disabled_at IS NULL AND u.disabled_at IS NULL
     AND (c.team <> 'required' OR g.team_id IS NOT NULL)`,
)

/** Whether a value has the form of an access token of the authorization server. */
export const isAccessToken = (value: string) => accessTokenPattern.test(value)
const accessTokenPattern = /^[A-Za-z0-9_-]{43}$/

export interface OAuthCredential {
  principal: UserPrincipal
  thumbprint: string | null
  /** When its grant was last used, to the minute. */
  lastUsedAt: Date | null
}

/** What an access token stands for at this moment; null for what is unknown or over. One statement. */
export async function findOAuthCredential(pool: pg.Pool, token: string, now: Date): Promise<OAuthCredential | null> {
  const [row] = await oauthCredentialByHash(pool, sha256(token), now)
  if (!row) return null
  const { userId: id, userName: name, email, emailVerified, clientId, teamSlug } = row
  const principal: UserPrincipal = {
    kind: 'user',
    via: 'oauth',
    credentialId: row.grantId,
    scopes: new Set(row.scopes.filter(isScope)),
    teams: reachesOf(row.teams),
    expiresAt: new Date(row.expiresAt),
    user: { id, name, email, emailVerified },
    client: { clientId, team: teamSlug },
    authenticatedAt: null,
  }
  return { principal, thumbprint: row.thumbprint, lastUsedAt: row.lastUsedAt === null ? null : new Date(row.lastUsedAt) }
}
