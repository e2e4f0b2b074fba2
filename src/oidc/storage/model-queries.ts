import { statement } from '../../../prisma/statement/statement.ts'

// This is SQL, because every OAuth request calls oidc-provider's storage several times, and because compare-and-set requires it.

export interface ModelRow {
  readonly idHash: Buffer
  readonly kind: string
  readonly payload: string
  /** The chain that starts with this code, or null. */
  readonly chainId: string | null
  readonly uidHash: Buffer | null
  readonly userCodeHash: Buffer | null
  readonly expiresAt: Date
}

export type ModelValues = [
  idHash: Buffer,
  kind: string,
  payload: string,
  chainId: string | null,
  uidHash: Buffer | null,
  userCodeHash: Buffer | null,
  expiresAt: Date,
]
export const toValues = ({ idHash, kind, payload, chainId, uidHash, userCodeHash, expiresAt }: ModelRow): ModelValues => [
  idHash,
  kind,
  payload,
  chainId,
  uidHash,
  userCodeHash,
  expiresAt,
]

/** Inserts a model. Its parameters are `ModelValues`. */
export const insert = `INSERT INTO oidc_models AS a (id_hash, kind, payload, chain_id, uid_hash, user_code_hash, expires_at)
  VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7)`

// Starts the chain of the code in `written`, if there is one. A scope that the user removes from the grant at the same time is either not
// read here, or removed from the chain, too: both take a lock on the grant (schema/oauth/grants/grant-scopes.ts).
const startChain = `INSERT INTO token_chains (id, grant_id, scopes)
  SELECT w.chain_id, g.id, ARRAY(SELECT s FROM unnest(string_to_array(w.payload->>'scope', ' ')) s WHERE s = ANY (g.scopes))
  FROM written w JOIN oauth_grants g ON g.id = (w.payload->>'grantId')::uuid WHERE w.chain_id IS NOT NULL FOR SHARE OF g`

/** Inserts or updates a model. Never resets `consumed_at`. */
export const upsertModel = statement<Record<string, never>, ModelValues>(
  'upsert_model',
  `WITH written AS (${insert} ON CONFLICT (id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at,
     user_code_hash = coalesce(excluded.user_code_hash, a.user_code_hash) RETURNING chain_id, payload)
   ${startChain}`,
)

/** Updates a model that this request has read. Returns no row if it was deleted meanwhile. */
export const updateModel = statement<{ id: string }, [idHash: Buffer, payload: string]>(
  'update_model',
  `UPDATE oidc_models SET payload = $2::jsonb WHERE id_hash = $1 RETURNING encode(id_hash, 'hex') AS id`,
)

/** Inserts or updates a device code. Returns no row if a user has already decided on it. */
export const upsertDeviceCode = statement<{ id: string }, ModelValues>(
  'upsert_device_code',
  `WITH written AS (${insert} ON CONFLICT (id_hash) DO UPDATE SET payload = excluded.payload, chain_id = excluded.chain_id, expires_at = excluded.expires_at,
       network_hash = NULL
     WHERE a.consumed_at IS NULL AND a.payload->>'accountId' IS NULL AND a.payload->>'error' IS NULL
     RETURNING id_hash, chain_id, payload),
   chain AS (${startChain})
   SELECT encode(id_hash, 'hex') AS id FROM written`,
)

/** Inserts a model. Returns no row if it exists. */
export const insertOnce = statement<{ id: string }, ModelValues>(
  'insert_model_once',
  `${insert} ON CONFLICT DO NOTHING RETURNING encode(id_hash, 'hex') AS id`,
)

/** Marks a model as used. Returns no row if it was used before or does not exist. */
export const consumeModel = statement<{ id: string }, [idHash: Buffer, now: Date]>(
  'consume_model',
  `UPDATE oidc_models SET consumed_at = $2 WHERE id_hash = $1 AND consumed_at IS NULL RETURNING encode(id_hash, 'hex') AS id`,
)

/** Deletes a model. Returns no row if it does not exist. */
export const deleteModel = statement<{ id: string }, [idHash: Buffer]>(
  'delete_model',
  `DELETE FROM oidc_models WHERE id_hash = $1 RETURNING encode(id_hash, 'hex') AS id`,
)

/** Revokes the chain of the model with this hash. */
export const revokeChain = statement<Record<string, never>, [idHash: Buffer, now: Date]>(
  'revoke_chain',
  `UPDATE token_chains k SET revoked_at = $2 FROM oidc_models a WHERE a.id_hash = $1 AND k.id = a.chain_id AND k.revoked_at IS NULL`,
)

/**
 * Records a poll of a pending device code, and returns true if it came too soon. In that case, the interval grows by 5 seconds for all
 * further polls (RFC 8628 §3.5). Returns no row if the user has decided, or the code belongs to another client.
 */
export const pollDeviceCode = statement<{ isTooSoon: boolean }, [idHash: Buffer, clientId: string, nowMilliseconds: number]>(
  'poll_device_code',
  `WITH pending AS (
     SELECT id_hash, coalesce((payload->>'interval')::int, 5) AS seconds,
       coalesce($3::bigint - (payload->>'polledAt')::bigint < coalesce((payload->>'interval')::int, 5) * 1000 - 500, false) AS too_soon
     FROM oidc_models WHERE id_hash = $1 AND kind = 'DeviceCode' AND payload->>'clientId' = $2 AND consumed_at IS NULL
       AND payload->>'accountId' IS NULL AND payload->>'error' IS NULL FOR UPDATE
   )
   UPDATE oidc_models a SET payload = a.payload || jsonb_build_object('polledAt', $3::bigint,
     'interval', p.seconds + CASE WHEN p.too_soon THEN 5 ELSE 0 END)
   FROM pending p WHERE a.id_hash = p.id_hash RETURNING p.too_soon AS "isTooSoon"`,
)
