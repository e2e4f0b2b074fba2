import type { Database } from '../prisma/client.ts'
import type { TokenKind } from '../prisma/generated/client/enums.ts'
import { statement } from '../prisma/statement.ts'
import type { Authenticate, Credential } from '../rest-facade/bearer.ts'
import type { Principal } from '../schema/context.ts'
import type { Scope } from '../schema/scopes.ts'
import { isScope } from '../schema/scopes.ts'
import { sha256, tokenKind } from '../schema/secret.ts'
import { createCheckProof, dpopRefusal } from './dpop.ts'
import { findOAuthCredential, isAccessToken } from './oauth-credential.ts'
import { memberColumns, reachesOf, teamColumns } from './stored-reach.ts'
import type { StoredReach } from './stored-reach.ts'

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
  /** Every team within reach. */
  teams: StoredReach[] | null
}

/**
 * A token's hash → the credential with all that later checks need: its person, and every team it reaches with the
 * role and applications of this very moment. What is revoked, expired or a disabled person's has no row.
 */
const credentialByHash = statement<CredentialRow, [hash: Buffer, now: Date]>(
  'credential_by_hash',
  `SELECT c.id, c.kind, c.name, to_json(c.scopes) AS scopes, c.expires_at AS "expiresAt", c.last_used_at AS "lastUsedAt",
     u.id AS "userId", u.name AS "userName", u.email, u.email_verified AS "emailVerified",
     CASE c.kind
       WHEN 'team' THEN (SELECT json_build_array(json_build_array('owner', true, '[]'::json, ${teamColumns})) FROM teams t WHERE t.id = c.team_id)
       ELSE (SELECT json_agg(json_build_array(${memberColumns}))
             FROM members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = c.user_id AND m.team_id <> ALL (c.cut_team_ids))
     END AS teams
   FROM access_tokens c LEFT JOIN users u ON u.id = c.user_id
   WHERE c.hash = $1 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $2) AND u.disabled_at IS NULL`,
)

export interface AuthenticatePorts {
  database: Database
  now(): Date
  /** Public addresses of the service, which proofs of possession name. */
  publicUrls: readonly string[]
  /** Notes the use of a token or grant, later and elsewhere: the request does not wait for it. */
  noteUse(credentialId: string, lastUsedAt: Date | null): void
}

/**
 * Credential → principal; null for what is unknown, expired or revoked, all alike. One statement, or none; a proof of
 * possession takes another. Throws `unauthenticated` where a token is bound to a key and comes without, or the reverse.
 */
export function createAuthenticate({ database, now, publicUrls, noteUse }: AuthenticatePorts): Authenticate {
  const checkProof = createCheckProof({ database, now, publicUrls })

  async function byToken(token: string): Promise<Principal | null> {
    const [row] = await credentialByHash(database.pool, sha256(token), now())
    if (!row) return null
    noteUse(row.id, row.lastUsedAt === null ? null : new Date(row.lastUsedAt))
    return principalOf(row)
  }

  async function byAccessToken(credential: Credential): Promise<Principal | null> {
    const isDpop = credential.scheme === 'DPoP'
    const found = await findOAuthCredential(database.pool, credential.token, now())
    if (found?.thumbprint && isDpop) await checkProof(credential, found.thumbprint)
    else if (found?.thumbprint) throw dpopRefusal('invalid_token', 'bound to a key, and presented by whoever holds it')
    else if (isDpop) throw dpopRefusal('invalid_token', 'unknown, or not bound to a key')
    if (!found) return null
    noteUse(found.principal.credentialId, found.lastUsedAt)
    return found.principal
  }

  return async (credential) => {
    const { scheme, token } = credential
    // What has neither form, or a wrong checksum, was never issued; nobody needs to be asked (decisions §7).
    if (tokenKind(token) !== null) return scheme === 'Bearer' ? byToken(token) : null
    return isAccessToken(token) ? byAccessToken(credential) : null
  }
}

function principalOf(row: CredentialRow): Principal {
  const { id: credentialId, kind, name, userId } = row
  const scopes: ReadonlySet<Scope> = new Set(row.scopes.filter(isScope))
  const credential = {
    credentialId,
    scopes,
    teams: reachesOf(row.teams),
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
  }
  if (kind === 'team' || userId === null) return { kind: 'team', via: 'team_token', name, ...credential }
  const user = { id: userId, name: row.userName, email: row.email, emailVerified: row.emailVerified }
  return { kind: 'user', via: 'personal_token', user, client: null, authenticatedAt: null, ...credential }
}
