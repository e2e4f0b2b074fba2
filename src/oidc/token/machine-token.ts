import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { machineTeam, buildTrustCondition } from '../../../schema/core/team-access/machines.ts'
import type { Client } from '../storage/stored-client.ts'
import type { NewModel, TokenRequest } from './token-request.ts'

// A response is not stored for a repeated request, because a machine requests another token with the same credentials.
const insertMachineToken = statement<{ team: string }, [hash: string, payload: string, expiresAt: Date, trust: string | null]>(
  'insert_machine_token',
  `WITH issued AS (
     SELECT t.slug, CASE WHEN w.id IS NULL THEN $2::jsonb ELSE $2::jsonb || jsonb_build_object('trust', $4::text) END AS payload
     FROM (SELECT) AS one ${machineTeam("($2::jsonb->>'clientId')")} AND (w.id IS NULL OR ${buildTrustCondition('w')} = $4)
   ), created AS (
     INSERT INTO oidc_models (id_hash, kind, payload, expires_at) SELECT decode($1, 'hex'), 'ClientCredentials', payload, $3 FROM issued
   )
   SELECT slug AS team FROM issued`,
)

/**
 * Stores the access token of a machine. Returns the body for the client. Null if the client or workload identity can no longer get a token,
 * or if its trust has changed since the request was accepted.
 */
export async function issueMachineToken(
  { hash, payload, expires_at }: Omit<NewModel, 'kind'>,
  identity: TokenRequest['identity'],
  body: object,
  { pool }: Database,
): Promise<object | null> {
  const [issued] = await insertMachineToken(pool, hash, JSON.stringify(payload), expires_at, identity?.trust ?? null)
  return issued ? { ...body, ...issued } : null
}

/** The scopes of a token that a machine requests, and a scope that the machine lacks, for which the request is refused. */
interface MachineScopes {
  scopes: Scope[]
  refused: Scope | undefined
}

/**
 * Selects the scopes of a token among those of a machine. Without `scope`, the token gets all of them that a team token can have (RFC 6749
 * §3.3); oidc-provider would issue a token without any. Unknown scopes and those that describe a user are ignored, because some clients
 * request every scope in the metadata of the API.
 */
export function chooseMachineScopes(own: readonly string[], scope: string | undefined): MachineScopes {
  const requested = scope === undefined ? own : scope.split(' ')
  const scopes = tokenScopes.filter((each) => requested.includes(each))
  return { scopes, refused: scopes.find((each) => !own.includes(each)) }
}

/** Returns the scopes for which a client is registered. */
export const listRegisteredScopes = ({ requiredScopes, optionalScopes }: Pick<Client, 'requiredScopes' | 'optionalScopes'>): string[] => [
  ...requiredScopes,
  ...optionalScopes,
]
