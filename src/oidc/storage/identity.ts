import type { ClientMetadata } from 'oidc-provider'
import { statement } from '../../../prisma/statement/statement.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import { buildTrustCondition } from '../../../schema/core/team-access/machines.ts'
import { isIdentifier } from '../../../schema/core/validation.ts'
import type { Condition } from '../../../schema/workload-identities/conditions.ts'

/** The grant of RFC 7523 §2.1. */
export const jwtBearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** A workload identity whose team is not deleted. */
export interface Identity {
  id: string
  name: string
  issuer: string
  conditions: Condition[]
  scopes: string[]
  /** Digest of the issuer and the conditions. Tokens that were issued under other conditions do not work. */
  trust: string
}

const identityById = statement<Identity, [id: string]>(
  'identity_by_id',
  `SELECT w.id, w.name, w.issuer, w.conditions, to_json(w.scopes) AS scopes, ${buildTrustCondition('w')} AS trust
   FROM workload_identities w JOIN teams t ON t.id = w.team_id AND t.deleted_at IS NULL WHERE w.id = $1`,
)

/** Returns the current state of the workload identity with this identifier, or null. */
export async function findIdentity(pool: StatementPool, id: string): Promise<Identity | null> {
  const [identity] = isIdentifier(id) ? await identityById(pool, id) : []
  return identity ?? null
}

/** Returns a workload identity in the form of a client of oidc-provider: a public client with one grant. */
export const identityMetadata = ({ id, name, scopes }: Identity): ClientMetadata => ({
  client_id: id,
  client_name: name,
  redirect_uris: [],
  grant_types: [jwtBearerGrant],
  response_types: [],
  scope: scopes.join(' '),
  token_endpoint_auth_method: 'none',
})
