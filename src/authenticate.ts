import type { Database } from '../prisma/client.ts'
import type { Application, Role, TokenKind } from '../prisma/generated/client/enums.ts'
import { rfc3339, statement } from '../prisma/statement.ts'
import type { Principal, Reach } from '../schema/context.ts'
import type { Scope } from '../schema/scopes.ts'
import { isScope } from '../schema/scopes.ts'
import { sha256, tokenKind } from '../schema/secret.ts'

/** A team within reach, by position: half the text that names would take. */
type StoredReach = [
  role: Role,
  allApplications: boolean,
  applications: Application[],
  id: string,
  slug: string,
  name: string,
  timezone: string | null,
  gravatarEmail: string | null,
  createdAt: string,
  updatedAt: string,
]

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

const team = 't.id, t.slug, t.name, t.timezone, t.gravatar_email, t.created_at, t.updated_at'

/**
 * A token's hash → the credential with all that later checks need: its person, and every team it reaches with the
 * role and applications of this very moment. What is revoked, expired or a disabled person's has no row.
 */
const credentialByHash = statement<CredentialRow, [hash: Buffer, now: Date]>(
  'credential_by_hash',
  `SELECT c.id, c.kind, c.name, to_json(c.scopes) AS scopes, c.expires_at AS "expiresAt", c.last_used_at AS "lastUsedAt",
     u.id AS "userId", u.name AS "userName", u.email, u.email_verified AS "emailVerified",
     CASE c.kind
       WHEN 'team' THEN (SELECT json_build_array(json_build_array('owner', true, '[]'::json, ${team})) FROM teams t WHERE t.id = c.team_id)
       ELSE (SELECT json_agg(json_build_array(m.role, m.all_applications, m.applications, ${team}))
             FROM members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = c.user_id)
     END AS teams
   FROM access_tokens c LEFT JOIN users u ON u.id = c.user_id
   WHERE c.hash = $1 AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $2) AND u.disabled_at IS NULL`,
)

export interface AuthenticatePorts {
  database: Database
  now(): Date
  /** Notes the use of a token, later and elsewhere: the request does not wait for it. */
  noteUse(tokenId: string, lastUsedAt: Date | null): void
}

export type Authenticate = (token: string) => Promise<Principal | null>

/** Bearer token → principal; null for what is unknown, expired or revoked, all alike. One statement, or none. */
export function createAuthenticate({ database, now, noteUse }: AuthenticatePorts): Authenticate {
  return async (token) => {
    // A wrong form or checksum was never issued; nobody needs to be asked (decisions §7).
    if (tokenKind(token) === null) return null
    const [row] = await credentialByHash(database.pool, sha256(token), now())
    if (!row) return null
    noteUse(row.id, row.lastUsedAt === null ? null : new Date(row.lastUsedAt))
    return principalOf(row)
  }
}

function principalOf(row: CredentialRow): Principal {
  const { id: credentialId, kind, name, userId } = row
  const scopes: ReadonlySet<Scope> = new Set(row.scopes.filter(isScope))
  const credential = {
    credentialId,
    scopes,
    teams: (row.teams ?? []).map(reachOf).sort(bySlug),
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
  }
  if (kind === 'team' || userId === null) return { kind: 'team', via: 'team_token', name, ...credential }
  const user = { id: userId, name: row.userName, email: row.email, emailVerified: row.emailVerified }
  return { kind: 'user', via: 'personal_token', user, client: null, ...credential }
}

// Here and not in the statement, of which sorting three teams was a sixth.
const bySlug = (a: Reach, b: Reach) => (a.team.slug < b.team.slug ? -1 : 1)

function reachOf(stored: StoredReach): Reach {
  const [role, allApplications, applications, id, slug, name, timezone, gravatarEmail, createdAt, updatedAt] = stored
  const team = { id, slug, name, timezone, gravatarEmail, createdAt: rfc3339(createdAt), updatedAt: rfc3339(updatedAt) }
  return { team, role, allApplications, applications }
}
