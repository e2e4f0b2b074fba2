import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import type { TeamPrincipal } from '../../schema/core/principals.ts'
import { effectiveScopes, tokenScopes } from '../../schema/core/scopes.ts'
import { sha256 } from '../../schema/core/sha256.ts'
import { LazyTeams } from '../../schema/core/team-access/lazy-teams.ts'
import { toTeamAccesses } from '../../schema/core/team-access/queries.ts'
import type { StoredTeamAccess } from '../../schema/core/team-access/queries.ts'
import { machineTeam, buildTrustCondition } from '../../schema/core/team-access/machines.ts'
import { ownerAccessSql } from './credential-teams.ts'

interface MachineRow {
  id: string
  name: string
  /** The `client_id`; null for a workload identity. */
  clientId: string | null
  scopes: string[]
  /** Thumbprint of the key to which the token is bound (RFC 9449 §6.1), or null. */
  thumbprint: string | null
  /** The resource to which the token is limited (RFC 8707), or null. */
  audience: string | null
  expiresAt: string
  lastUsedAt: string | null
  team: StoredTeamAccess
}

/**
 * Finds an access token of a machine by its hash, with its client or workload identity and their team. An expired token has no row, nor has
 * one whose client or identity no longer works or trusts another issuer or other claims, or whose team is deleted. A scope counts if the
 * token and the client or identity have it. This is SQL, because every request with such a token runs it.
 */
const machineByHash = statement<MachineRow, [hash: Buffer, now: Date]>(
  'machine_by_hash',
  `SELECT coalesce(c.id, w.id) AS id, coalesce(c.name, w.name) AS name, c.client_id AS "clientId", a.payload->>'jkt' AS thumbprint, a.payload->>'aud' AS audience,
     to_json(ARRAY(SELECT s FROM unnest(string_to_array(a.payload->>'scope', ' ')) s
       WHERE s = ANY (CASE WHEN c.id IS NULL THEN w.scopes ELSE c.required_scopes || c.optional_scopes END))) AS scopes,
     a.expires_at AS "expiresAt", coalesce(c.last_used_at, w.last_used_at) AS "lastUsedAt", ${ownerAccessSql} AS team
   FROM oidc_models a ${machineTeam(`a.payload->>'clientId'`)}
   WHERE a.id_hash = $1 AND a.kind = 'ClientCredentials' AND a.consumed_at IS NULL AND a.expires_at > $2
     AND (w.id IS NULL OR a.payload->>'trust' = ${buildTrustCondition('w')})`,
  { startsRequests: true },
)

/** Returns true if a value has the form of an access token of a machine: 264 bits in base64url. */
export const isMachineToken = (value: string) => machineTokenPattern.test(value)
const machineTokenPattern = /^[A-Za-z0-9_-]{44}$/

export interface MachineCredential {
  principal: TeamPrincipal
  /** Slug of the machine's team. */
  teamSlug: string
  thumbprint: string | null
  audience: string | null
  /** Time of the last use of the client or identity, to the minute. */
  lastUsedAt: Date | null
}

/** Returns the principal of an access token of a machine; null if it is unknown or no longer valid. Runs one statement. */
export async function findMachineCredential(pool: StatementPool, token: string, now: Date): Promise<MachineCredential | null> {
  const [row] = await machineByHash(pool, sha256(token), now)
  if (!row) return null
  const { id: credentialId, name, clientId, scopes, thumbprint, audience, expiresAt, lastUsedAt } = row
  const teams = toTeamAccesses([row.team])
  const principal: TeamPrincipal = {
    kind: 'team',
    authenticationMethod: clientId === null ? 'workload_identity' : 'client',
    credentialId,
    name,
    clientId,
    // As in a team token, scopes that describe a user have no meaning here.
    scopes: effectiveScopes(
      tokenScopes.filter((scope) => scopes.includes(scope)),
      null,
    ),
    teams: new LazyTeams(null, teams),
    expiresAt: new Date(expiresAt),
  }
  return {
    principal,
    teamSlug: teams[0]?.team.slug ?? '',
    thumbprint,
    audience,
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
  }
}
