import { statement } from '../../../prisma/statement.ts'
import { insert } from './artifact-statements.ts'
import type { Values } from './artifact-statements.ts'

// A session of oidc-provider's is an artifact; where a person is signed in, a row of `sessions` beside it says who and where.

type Seen = [now: Date, address: string, userAgent: string]

/** The row of `sessions` for what `written` wrote; the values of `Seen` come from the parameter `first` on. */
const noted = (
  first: number,
) => `INSERT INTO sessions AS s (uid_hash, user_id, created_at, authenticated_at, methods, last_used_at, address, user_agent)
  SELECT w.uid_hash, u.id, $${first}::timestamptz, to_timestamp((w.payload->>'loginTs')::bigint),
    ARRAY(SELECT jsonb_array_elements_text(coalesce(nullif(w.payload->'amr', 'null'), '[]'))), $${first}, $${first + 1}::text, $${first + 2}::text
  FROM written w JOIN users u ON u.id = (w.payload->>'accountId')::uuid
  ON CONFLICT (uid_hash) DO UPDATE SET user_id = excluded.user_id, methods = excluded.methods, last_used_at = excluded.last_used_at,
    created_at = CASE WHEN s.user_id = excluded.user_id THEN s.created_at ELSE excluded.created_at END,
    -- oidc-provider counts in seconds.
    authenticated_at = CASE WHEN date_trunc('second', s.authenticated_at) = excluded.authenticated_at THEN s.authenticated_at ELSE excluded.authenticated_at END`

/** Writes a session, which changes its identifier and keeps its second one: of two requests at once the last names it. */
export const upsertSession = statement<Record<string, never>, [...Values, ...Seen]>(
  'upsert_session',
  `WITH written AS (${insert}
     ON CONFLICT (uid_hash) DO UPDATE SET id_hash = excluded.id_hash, payload = excluded.payload, expires_at = excluded.expires_at
     RETURNING uid_hash, payload)
   ${noted(8)}`,
)

/**
 * The same for a session that was read before. One that ended meanwhile, by signing out, does not come back; and what
 * requests at the same time noted of other clients is kept, for these are told when it ends.
 */
export const updateSession = statement<Record<string, never>, [uidHash: Buffer, idHash: Buffer, payload: string, expiresAt: Date, ...Seen]>(
  'update_session',
  `WITH written AS (UPDATE oauth_artifacts a SET id_hash = $2, expires_at = $4, payload = CASE WHEN a.payload->'accountId' = $3::jsonb->'accountId'
     THEN $3::jsonb || jsonb_build_object('authorizations',
       coalesce(a.payload->'authorizations', '{}') || coalesce($3::jsonb->'authorizations', '{}'))
     ELSE $3::jsonb END
   WHERE uid_hash = $1 RETURNING uid_hash, payload)
   ${noted(5)}`,
)

/**
 * A person has just proved who they are in this session; in milliseconds, which oidc-provider's own note is not. Answers
 * no row where they are disabled, or their password is no longer the one that was given (its hash's SHA-256; null where
 * none was). Under a lock, which whoever changes the password or disables the account takes too: either this sees the
 * change, or they see the session and end it.
 */
export const noteSignIn = statement<{ id: string }, [uidHash: Buffer, now: Date, userId: string, passwordDigest: Buffer | null]>(
  'note_sign_in',
  `WITH person AS MATERIALIZED (SELECT id FROM users WHERE id = $3 AND disabled_at IS NULL
     AND ($4::bytea IS NULL OR sha256(convert_to(password_hash, 'UTF8')) = $4) FOR SHARE)
   UPDATE sessions s SET authenticated_at = $2 FROM person WHERE s.uid_hash = $1 AND s.user_id = person.id RETURNING s.id`,
)

/** A session is in use: it lives on, its artifact as well, which is locked first, as by whoever ends the session. */
export const noteUse = statement<Record<string, never>, [id: string, ...Seen, expiresAt: Date]>(
  'note_session_use',
  `WITH kept AS (UPDATE oauth_artifacts a SET expires_at = $5, payload = a.payload || jsonb_build_object('exp', extract(epoch FROM $5::timestamptz)::bigint)
     FROM sessions s WHERE s.id = $1 AND a.uid_hash = s.uid_hash RETURNING a.uid_hash)
   UPDATE sessions s SET last_used_at = $2, address = $3, user_agent = $4 FROM kept WHERE s.uid_hash = kept.uid_hash`,
)
