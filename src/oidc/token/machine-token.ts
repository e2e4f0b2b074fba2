import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { machineTeam, trustOf } from '../../../schema/core/team-access/machines.ts'
import type { TokenRequest } from './token-request.ts'

// A machine asks for another token with the same credentials, so a response is not stored for a repeated request.
const insertMachineToken = statement<{ team: string }, [newModels: string, trust: string | null]>(
  'insert_machine_token',
  `WITH issued AS (
     SELECT m.hash, m.kind, m.payload || CASE WHEN w.id IS NULL THEN '{}' ELSE jsonb_build_object('trust', $2::text) END AS payload, m.expires_at, t.slug
     FROM jsonb_to_recordset($1::jsonb) AS m(hash text, kind text, payload jsonb, expires_at timestamptz)
       ${machineTeam("m.payload->>'clientId'")} AND (w.id IS NULL OR ${trustOf('w')} = $2)
   ), created AS (
     INSERT INTO oidc_models (id_hash, kind, payload, expires_at) SELECT decode(hash, 'hex'), kind, payload, expires_at FROM issued
   )
   SELECT slug AS team FROM issued`,
)

/**
 * Stores the access token of a machine. Returns the body that the client gets; null if the client or workload identity can no longer get
 * a token, or trusts others than when the request was accepted.
 */
export async function issueMachineToken(
  { newModels, identity }: Pick<TokenRequest, 'newModels' | 'identity'>,
  body: object,
  { pool }: Database,
): Promise<object | null> {
  const [issued] = await insertMachineToken(pool, JSON.stringify(newModels), identity?.trust ?? null)
  return issued ? { ...body, ...issued } : null
}
