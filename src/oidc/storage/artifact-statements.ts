import { statement } from '../../../prisma/statement.ts'

interface Row {
  readonly idHash: Buffer
  readonly kind: string
  readonly payload: string
  readonly grantId: string | null
  readonly uidHash: Buffer | null
  readonly userCodeHash: Buffer | null
  readonly expiresAt: Date
}

export type Values = [
  idHash: Buffer,
  kind: string,
  payload: string,
  grantId: string | null,
  uidHash: Buffer | null,
  userCodeHash: Buffer | null,
  expiresAt: Date,
]
export const valuesOf = ({ idHash, kind, payload, grantId, uidHash, userCodeHash, expiresAt }: Row): Values => [
  idHash,
  kind,
  payload,
  grantId,
  uidHash,
  userCodeHash,
  expiresAt,
]

/** An artifact's row of `Values`. */
export const insert = `INSERT INTO oauth_artifacts AS a (id_hash, kind, payload, grant_id, uid_hash, user_code_hash, expires_at)
  VALUES ($1, $2, $3::jsonb, $4, $5, $6, $7)`

/** Writes an artifact, new or again. Whether it was spent is not touched: spent is spent. */
export const upsertArtifact = statement<Record<string, never>, Values>(
  'upsert_artifact',
  `${insert} ON CONFLICT (id_hash) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at,
     user_code_hash = coalesce(excluded.user_code_hash, a.user_code_hash)`,
)

/** The same for one that was read before and may have ended meanwhile; answers no row then. */
export const updateArtifact = statement<{ id: string }, [idHash: Buffer, payload: string]>(
  'update_artifact',
  `UPDATE oauth_artifacts SET payload = $2::jsonb WHERE id_hash = $1 RETURNING encode(id_hash, 'hex') AS id`,
)

/** The same for a device code: what one person has decided, another does not decide again. Answers no row then. */
export const upsertDeviceCode = statement<{ id: string }, Values>(
  'upsert_device_code',
  `${insert} ON CONFLICT (id_hash) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id, expires_at = excluded.expires_at
   WHERE a.consumed_at IS NULL AND a.payload->>'accountId' IS NULL AND a.payload->>'error' IS NULL
   RETURNING encode(id_hash, 'hex') AS id`,
)

/** Writes an artifact that may be there but once; answers no row where it was there before. */
export const insertOnce = statement<{ id: string }, Values>(
  'insert_artifact_once',
  `${insert} ON CONFLICT DO NOTHING RETURNING encode(id_hash, 'hex') AS id`,
)

/** Spends an artifact; answers no row where it was spent before, or is gone. */
export const spendArtifact = statement<{ id: string }, [idHash: Buffer, now: Date]>(
  'spend_artifact',
  `UPDATE oauth_artifacts SET consumed_at = $2 WHERE id_hash = $1 AND consumed_at IS NULL RETURNING encode(id_hash, 'hex') AS id`,
)

/** Deletes an artifact; answers no row where it was gone before. */
export const deleteArtifact = statement<{ id: string }, [idHash: Buffer]>(
  'delete_artifact',
  `DELETE FROM oauth_artifacts WHERE id_hash = $1 RETURNING encode(id_hash, 'hex') AS id`,
)

export const revokeGrant = statement<Record<string, never>, [id: string, now: Date]>(
  'revoke_grant',
  `UPDATE oauth_grants SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL`,
)

/**
 * Notes that a pending device code was asked for, and answers whether that was too soon: the interval then grows by 5
 * seconds, for good (RFC 8628 §3.5). No row where there is nothing to wait for, or the code is another client's.
 */
export const pollDeviceCode = statement<{ tooSoon: boolean }, [idHash: Buffer, clientId: string, nowMilliseconds: number]>(
  'poll_device_code',
  `WITH pending AS (
     SELECT id_hash, coalesce((payload->>'interval')::int, 5) AS seconds,
       coalesce($3::bigint - (payload->>'polledAt')::bigint < coalesce((payload->>'interval')::int, 5) * 1000 - 500, false) AS too_soon
     FROM oauth_artifacts WHERE id_hash = $1 AND kind = 'DeviceCode' AND payload->>'clientId' = $2 AND consumed_at IS NULL
       AND payload->>'accountId' IS NULL AND payload->>'error' IS NULL FOR UPDATE
   )
   UPDATE oauth_artifacts a SET payload = a.payload || jsonb_build_object('polledAt', $3::bigint,
     'interval', p.seconds + CASE WHEN p.too_soon THEN 5 ELSE 0 END)
   FROM pending p WHERE a.id_hash = p.id_hash RETURNING p.too_soon AS "tooSoon"`,
)
