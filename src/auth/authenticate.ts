import type { Database } from '../../prisma/client.ts'
import type { TokenKind } from '../../prisma/generated/client/enums.ts'
import type { Authenticate, Credential } from '../../rest-facade/http/bearer.ts'
import { LazyTeams } from '../../schema/core/team-access/lazy-teams.ts'
import type { Principal } from '../../schema/core/context.ts'
import type { Scope } from '../../schema/core/scopes.ts'
import { isScope } from '../../schema/core/scopes.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { teamAccessesOf } from '../../schema/core/team-access/queries.ts'
import { teamColumns } from '../../schema/core/team-access/team-columns.ts'
import type { StoredTeamAccess } from '../../schema/core/team-access/queries.ts'
import { tokenKind } from '../../schema/tokens/token-value.ts'
import { credentialStatement, teamsOfCredential } from './credential-teams.ts'
import { createCheckProof, dpopRefusal } from './dpop.ts'
import { findOAuthCredential, isAccessToken } from './oauth-credential.ts'

interface CredentialRow {
  id: string
  kind: TokenKind
  name: string
  scopes: string[]
  expiresAt: string | null
  lastUsedAt: string | null
  userId: string | null
  userName: string
  email: string
  emailVerified: boolean
  /** Null for no limit. */
  teamIds: string[] | null
  revokedTeamIds: string[]
  teams: StoredTeamAccess[] | null
}

// Without an element, a token is not limited.
const limit = `nullif(c.team_ids, '{}')`

/**
 * Finds a token by the hash of its value or of the previous one during the overlap of a rotation, with its user and teams, each with the current role and applications.
 * A token that is revoked or expired, or whose user is disabled, has no row. SQL, because every request with a token runs it.
 */
const credentialByHash = credentialStatement<CredentialRow>(
  'credential_by_hash',
  (teamsOf) => `SELECT c.id, c.kind, c.name, to_json(c.scopes) AS scopes, c.expires_at AS "expiresAt", c.last_used_at AS "lastUsedAt",
     u.id AS "userId", u.name AS "userName", u.email, u.email_verified AS "emailVerified",
     CASE c.kind
       WHEN 'team' THEN (SELECT json_build_array(json_build_array('owner', true, '[]'::json, ${teamColumns})) FROM teams t WHERE t.id = c.team_id AND t.deleted_at IS NULL)
       ELSE ${teamsOf({ userId: 'c.user_id', teamIds: limit, revokedTeamIds: 'c.revoked_team_ids' })}
     END AS teams, to_json(${limit}) AS "teamIds", to_json(c.revoked_team_ids) AS "revokedTeamIds"
   FROM access_tokens c LEFT JOIN users u ON u.id = c.user_id
   WHERE (c.hash = $1 OR (c.previous_hash = $1 AND c.previous_expires_at > $2)) AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $2) AND u.disabled_at IS NULL`,
)

export interface AuthenticatePorts {
  database: Database
  now(): Date
  /** Public URLs of the service, which DPoP proofs contain. */
  publicUrls: readonly string[]
  /** Records the use of a token or grant in the background. */
  recordUse(credentialId: string, lastUsedAt: Date | null): void
}

/**
 * Returns the principal of a credential; null if it is unknown, expired or revoked. Runs at most one statement, and a second
 * one for a DPoP proof. Throws `unauthenticated` if a token that is bound to a key comes without a proof, or the reverse.
 */
export function createAuthenticate({ database, now, publicUrls, recordUse }: AuthenticatePorts): Authenticate {
  const checkProof = createCheckProof({ database, now, publicUrls })

  async function findTokenPrincipal(token: string, teamSlug: string | null): Promise<Principal | null> {
    const row = await credentialByHash(database.pool, sha256(token), now(), teamSlug)
    // The token of a deleted team has no team left.
    if (!row || (row.kind === 'team' && row.teams === null)) return null
    recordUse(row.id, row.lastUsedAt === null ? null : new Date(row.lastUsedAt))
    return principalOf(row, teamSlug)
  }

  async function findOAuthPrincipal(credential: Credential, teamSlug: string | null): Promise<Principal | null> {
    const isDpop = credential.scheme === 'DPoP'
    const found = await findOAuthCredential(database.pool, credential.token, now(), teamSlug)
    if (found?.thumbprint && isDpop) await checkProof(credential, found.thumbprint)
    else if (found?.thumbprint) throw dpopRefusal('invalid_token', 'the token is bound to a key and was sent as a bearer token')
    else if (isDpop) throw dpopRefusal('invalid_token', 'the token is unknown or not bound to a key')
    if (!found) return null
    recordUse(found.principal.credentialId, found.lastUsedAt)
    return found.principal
  }

  return async (credential, teamSlug) => {
    const { scheme, token } = credential
    // A value of another form, or with a wrong checksum, was never issued. No query is needed (docs/decisions/tokens.md#format).
    if (tokenKind(token) !== null) return scheme === 'Bearer' ? findTokenPrincipal(token, teamSlug) : null
    return isAccessToken(token) ? findOAuthPrincipal(credential, teamSlug) : null
  }
}

function principalOf(row: CredentialRow, teamSlug: string | null): Principal {
  const { id: credentialId, kind, name, userId, teamIds, revokedTeamIds } = row
  const scopes: ReadonlySet<Scope> = new Set(row.scopes.filter(isScope))
  const credential = { credentialId, scopes, expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt) }
  if (kind === 'team' || userId === null) {
    const teams = new LazyTeams(null, teamAccessesOf(row.teams))
    return { kind: 'team', authenticationMethod: 'team_token', name, ...credential, teams }
  }
  const teams = teamsOfCredential({ userId, teamIds, revokedTeamIds }, row.teams, teamSlug)
  const user = { id: userId, name: row.userName, email: row.email, emailVerified: row.emailVerified }
  const isLimitedToTeams = teamIds !== null
  return {
    kind: 'user',
    authenticationMethod: 'personal_token',
    user,
    client: null,
    authenticatedAt: null,
    timeSettings: null,
    isLimitedToTeams,
    ...credential,
    teams,
  }
}
