import type pg from 'pg'
import { statement } from '../../../prisma/statement.ts'
import type { AttemptLimits } from '../../auth/attempt-limits.ts'
import { clientNetwork } from '../../auth/client-network.ts'
import { currentContext, TooManyAttempts } from '../provider-internals.ts'
import type { Values } from './model-queries.ts'

// Anybody can send authorization requests, and each is stored until the user signs in or an hour has passed. They are
// limited per client network. In a browser with a session they are not: strangers must not keep a signed-in user from
// going on (docs/decisions/oauth.md#pending-authorization-requests).

const insertWithinLimit = statement<{ id: string }, [...Values, networkHash: Buffer, now: Date, quota: number]>(
  'insert_anonymous_interaction',
  `INSERT INTO oidc_models (id_hash, kind, payload, chain_id, uid_hash, user_code_hash, expires_at, network_hash)
   SELECT $1, $2, $3::jsonb, $4::uuid, $5, $6, $7, $8
   WHERE (SELECT count(*) FROM (SELECT 1 FROM oidc_models WHERE network_hash = $8 AND expires_at > $9 LIMIT $10) pending) < $10
   RETURNING encode(id_hash, 'hex') AS id`,
)

const nextExpiry = statement<{ seconds: number }, [networkHash: Buffer, now: Date]>(
  'next_anonymous_interaction_expiry',
  `SELECT ceil(extract(epoch FROM min(expires_at) - $2::timestamptz))::int AS seconds FROM oidc_models
   WHERE network_hash = $1 AND expires_at > $2`,
)

/** Stores an interaction that began without a session. Throws 429 if its network has as many pending ones as allowed. */
export async function insertAnonymousInteraction(
  pool: pg.Pool,
  { quota, networkHash }: AttemptLimits['pendingAuthorizations'],
  values: Values,
  address: string,
  now: Date,
): Promise<void> {
  const network = networkHash(clientNetwork(address))
  const inserted = await insertWithinLimit(pool, ...values, network, now, quota)
  if (inserted.length > 0) return
  const [expiry] = await nextExpiry(pool, network, now)
  currentContext()?.set('Retry-After', String(Math.max(expiry?.seconds ?? 1, 1)))
  throw new TooManyAttempts()
}
