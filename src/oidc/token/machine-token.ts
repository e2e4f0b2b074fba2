import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { machineTeam, trustOf } from '../../../schema/core/team-access/machines.ts'
import type { NewModel, TokenRequest } from './token-request.ts'

// A response is not stored for a repeated request, because a machine requests another token with the same credentials.
const insertMachineToken = statement<{ team: string }, [hash: string, payload: string, expiresAt: Date, trust: string | null]>(
  'insert_machine_token',
  `WITH issued AS (
     SELECT t.slug, CASE WHEN w.id IS NULL THEN $2::jsonb ELSE $2::jsonb || jsonb_build_object('trust', $4::text) END AS payload
     FROM (SELECT) AS one ${machineTeam("($2::jsonb->>'clientId')")} AND (w.id IS NULL OR ${trustOf('w')} = $4)
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
