import type { AdapterPayload } from 'oidc-provider'
import { statement } from '../../../prisma/statement/statement.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import type { AttemptLimits } from '../../auth/attempt-limits.ts'
import { clientNetwork } from '../../auth/client-network.ts'
import { currentContext, discardSession, TooManyAttempts } from '../provider/provider-internals.ts'
import type { ModelValues } from './model-queries.ts'

// Models that are created by requests without a user and without a client secret. Their number is limited per client network and kind, and
// in total (src/service/cleanup.ts). Requests with a user's session do not count, because other people in the same network must not be able
// to block a signed-in user (docs/decisions/oauth-pages.md#pending-authorization-requests).

/** Kinds of models that can be anonymous. */
export const anonymousKinds = ['Interaction', 'Session', 'PushedAuthorizationRequest', 'DeviceCode', 'ReplayDetection'] as const

/** Returns true if a new model belongs neither to a user nor to an authenticated client. */
export function isAnonymous(kind: string, { session, accountId }: AdapterPayload): boolean {
  const { route, client } = currentContext()?.oidc ?? {}
  if (kind === 'Interaction') return session === undefined
  if (kind === 'Session') return accountId === undefined
  if (client?.clientAuthMethod !== 'none') return false
  // For other models, a proof is stored only together with a valid token or code.
  if (kind === 'PushedAuthorizationRequest' || kind === 'ReplayDetection') return route === 'pushed_authorization_request'
  return kind === 'DeviceCode' && route === 'device_authorization'
}

/** Returns an SQL condition for the rows in the /48 of this network hash, whose first 16 bytes are those of the /48. */
const inSite = (hash: string) =>
  `network_hash BETWEEN substring(${hash}::bytea, 1, 16) AND substring(${hash}::bytea, 1, 16) || decode(repeat('ff', 16), 'hex')`

const insertWithinLimit = statement<{ id: string }, [...ModelValues, networkHash: Buffer, now: Date, quota: number, siteQuota: number]>(
  'insert_anonymous_model',
  `INSERT INTO oidc_models (id_hash, kind, payload, chain_id, uid_hash, user_code_hash, expires_at, network_hash)
   SELECT $1, $2, $3::jsonb, $4::uuid, $5, $6, $7, $8
   WHERE (SELECT count(*) FROM (
     SELECT 1 FROM oidc_models WHERE network_hash = $8 AND kind = $2 AND consumed_at IS NULL AND expires_at > $9 LIMIT $10
   ) pending) < $10
     AND (SELECT count(*) FROM (
     SELECT 1 FROM oidc_models WHERE ${inSite('$8')} AND kind = $2 AND consumed_at IS NULL AND expires_at > $9 LIMIT $11
   ) pending) < $11
   ON CONFLICT (id_hash) DO NOTHING
   RETURNING encode(id_hash, 'hex') AS id`,
)

const selectPending = statement<
  { count: number; siteCount: number; seconds: number | null; siteSeconds: number },
  [networkHash: Buffer, kind: string, now: Date]
>(
  'pending_anonymous_models',
  `SELECT count(*) FILTER (WHERE network_hash = $1)::int AS count, count(*)::int AS "siteCount",
     ceil(extract(epoch FROM min(expires_at) FILTER (WHERE network_hash = $1) - $3::timestamptz))::int AS seconds,
     ceil(extract(epoch FROM min(expires_at) - $3::timestamptz))::int AS "siteSeconds"
   FROM oidc_models WHERE ${inSite('$1')} AND kind = $2 AND consumed_at IS NULL AND expires_at > $3`,
)

/** Stores an anonymous model, or returns false if it exists. Throws 429 if its network has reached the limit of its kind. */
export async function insertAnonymousModel(
  pool: StatementPool,
  { quota, siteQuota, networkHash }: AttemptLimits['pendingAuthorizations'],
  values: ModelValues,
  address: string,
  now: Date,
): Promise<boolean> {
  const network = networkHash(clientNetwork(address))
  const inserted = await insertWithinLimit(pool, ...values, network, now, quota, siteQuota)
  if (inserted.length > 0) return true
  const [, kind] = values
  const [pending] = await selectPending(pool, network, kind, now)
  if (pending && pending.count < quota && pending.siteCount < siteQuota) return false
  if (kind === 'Session') discardSession()
  const seconds = pending && (pending.count < quota ? pending.siteSeconds : pending.seconds)
  currentContext()?.set('Retry-After', String(Math.max(seconds ?? 1, 1)))
  throw new TooManyAttempts()
}
