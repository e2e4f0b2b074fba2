import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { isEndedInATeam } from '../../../schema/core/team-access/ended-sessions.ts'
import { sessionTeamIds } from '../../../schema/core/team-access/session-reach.ts'
import { isTwoFactorUnproved } from '../../../schema/core/team-access/two-factor.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { insert } from './model-queries.ts'
import type { ModelValues } from './model-queries.ts'

// A session is an oidc-provider model. While a user is signed in, a row of `sessions` has the user, the times and the browser. These are
// SQL, because both rows change in one statement, and every page of the account site runs one of them.

export type BrowserParameters = [now: Date, address: string, userAgent: string]

/** Writes the row of `sessions` for the model in `written`. `first` is the number of the first parameter of `BrowserParameters`. */
const upsertSessionRow = (
  first: number,
) => `INSERT INTO sessions AS s (uid_hash, user_id, created_at, authenticated_at, methods, own_proof, last_used_at, address, user_agent)
  SELECT w.uid_hash, u.id, $${first}::timestamptz, to_timestamp((w.payload->>'loginTs')::bigint),
    ARRAY(SELECT jsonb_array_elements_text(coalesce(nullif(w.payload->'amr', 'null'), '[]'))), false, $${first}, $${first + 1}::text, $${first + 2}::text
  FROM written w JOIN users u ON u.id = (w.payload->>'accountId')::uuid
  ON CONFLICT (uid_hash) DO UPDATE SET user_id = excluded.user_id, methods = excluded.methods, last_used_at = excluded.last_used_at,
    created_at = CASE WHEN s.user_id = excluded.user_id THEN s.created_at ELSE excluded.created_at END,
    -- What one user has proved does not count for the next. recordSignIn writes what this sign-in proves.
    proved_two_factor = s.proved_two_factor AND s.user_id = excluded.user_id,
    own_proof = s.own_proof AND s.user_id = excluded.user_id,
    provider_ids = CASE WHEN s.user_id = excluded.user_id THEN s.provider_ids ELSE '{}' END,
    owner_access_team_ids = CASE WHEN s.user_id = excluded.user_id THEN s.owner_access_team_ids ELSE '{}' END,
    ended_team_ids = CASE WHEN s.user_id = excluded.user_id THEN s.ended_team_ids ELSE '{}' END,
    -- loginTs is in whole seconds.
    authenticated_at = CASE WHEN date_trunc('second', s.authenticated_at) = excluded.authenticated_at THEN s.authenticated_at ELSE excluded.authenticated_at END`

/** Inserts or updates a session. Its identifier can change, its `uid` does not. The last of two simultaneous requests sets it. */
export const upsertSession = statement<Record<string, never>, [...ModelValues, ...BrowserParameters]>(
  'upsert_session',
  `WITH written AS (${insert}
     ON CONFLICT (uid_hash) DO UPDATE SET id_hash = excluded.id_hash, payload = excluded.payload, expires_at = excluded.expires_at
     RETURNING uid_hash, payload)
   ${upsertSessionRow(8)}`,
)

/**
 * Updates a session that this request has read. A session that has ended meanwhile is not created again. Preserves the clients that
 * concurrent requests have added, because they are notified when the session ends.
 */
export const updateSession = statement<
  Record<string, never>,
  [uidHash: Buffer, idHash: Buffer, payload: string, expiresAt: Date, ...BrowserParameters]
>(
  'update_session',
  `WITH written AS (UPDATE oidc_models a SET id_hash = $2, expires_at = $4,
     network_hash = CASE WHEN $3::jsonb ? 'accountId' THEN NULL ELSE a.network_hash END, payload = CASE WHEN a.payload->'accountId' = $3::jsonb->'accountId'
     THEN $3::jsonb || jsonb_build_object('authorizations',
       coalesce(a.payload->'authorizations', '{}') || coalesce($3::jsonb->'authorizations', '{}'))
     ELSE $3::jsonb END
   WHERE uid_hash = $1 RETURNING uid_hash, payload)
   ${upsertSessionRow(5)}`,
)

/**
 * Records the time of the sign-in in milliseconds; oidc-provider stores seconds. Returns no row if the user is disabled, or if the password
 * has changed since it was verified. `passwordDigest` is the SHA-256 of the password hash, null if no password was used. Changing the
 * password and disabling the account take the same row lock. Either this statement sees the change, or the change sees the session and ends
 * it.
 */
export const recordSignIn = statement<
  { id: string },
  [
    uidHash: Buffer,
    now: Date,
    userId: string,
    passwordDigest: Buffer | null,
    skippedSecondFactor: boolean,
    provedTwoFactor: boolean,
    hasOwnProof: boolean,
    providerId: string | null,
  ]
>(
  'record_sign_in',
  `WITH active_user AS MATERIALIZED (SELECT id FROM users WHERE id = $3 AND disabled_at IS NULL
     AND ($4::bytea IS NULL OR sha256(convert_to(password_hash, 'UTF8')) = $4) FOR SHARE),
     -- Waits for a change that disables the provider, and is waited for: a sign-in there never counts afterwards.
     provider AS MATERIALIZED (SELECT id FROM identity_providers WHERE id = $8::uuid AND disabled_at IS NULL FOR SHARE)
   UPDATE sessions s SET authenticated_at = $2, skipped_second_factor = $5, proved_two_factor = $6, own_proof = s.own_proof OR $7,
     ended_team_ids = '{}',
     provider_ids = ARRAY(SELECT unnest(s.provider_ids) UNION SELECT id FROM provider)
   FROM active_user WHERE s.uid_hash = $1 AND s.user_id = active_user.id RETURNING s.id`,
)

const unprovedTwoFactor = statement<object, [uidHash: Buffer]>(
  'unproved_two_factor',
  `SELECT FROM sessions s WHERE s.uid_hash = $1 AND ${isTwoFactorUnproved('s')}`,
)
const endedInATeam = statement<object, [uidHash: Buffer]>(
  'session_ended_in_a_team',
  `SELECT FROM sessions s WHERE s.uid_hash = $1 AND ${isEndedInATeam('s')}`,
)

/** Returns true if the user has two-factor authentication but the session with this `uid` of oidc-provider lacks it. */
export const lacksSecondFactor = async ({ pool }: Pick<Database, 'pool'>, uid: string): Promise<boolean> =>
  (await unprovedTwoFactor(pool, sha256(uid))).length > 0

/** Returns true if an owner of a team has ended the session with this `uid` of oidc-provider there. */
export const isSessionEnded = async ({ pool }: Pick<Database, 'pool'>, uid: string): Promise<boolean> =>
  (await endedInATeam(pool, sha256(uid))).length > 0

const limitOfSession = statement<{ teamIds: string[] | null }, [uidHash: Buffer]>(
  'limit_of_session',
  `SELECT to_json(${sessionTeamIds('s')}) AS "teamIds" FROM sessions s WHERE s.uid_hash = $1`,
)

/**
 * Returns the teams that the session with this `uid` of oidc-provider reaches; null for all teams of its user, and for the account
 * (docs/decisions/identity-providers.md#how-far-a-sign-in-reaches). `ended` is the result for a session that has ended.
 */
export async function findSessionTeams(
  { pool }: Pick<Database, 'pool'>,
  uid: string,
  ended: readonly string[] | null = [],
): Promise<readonly string[] | null> {
  const [session] = await limitOfSession(pool, sha256(uid))
  return session ? session.teamIds : ended
}

/**
 * Records the use of a session and extends it to the specified end, but not beyond the maximum days since the sign-in. Locks the model
 * first, in the same order as the statements that end sessions.
 */
export const recordSessionUse = statement<{ expiresAt: string }, [id: string, ...BrowserParameters, slidingEnd: Date, maxDays: number]>(
  'record_session_use',
  `WITH extended AS (UPDATE oidc_models a SET expires_at = e.at, payload = a.payload || jsonb_build_object('exp', extract(epoch FROM e.at)::bigint)
     FROM sessions s, least($5::timestamptz, s.authenticated_at + make_interval(days => $6)) AS e(at)
     WHERE s.id = $1 AND a.uid_hash = s.uid_hash RETURNING a.uid_hash, a.expires_at)
   UPDATE sessions s SET last_used_at = $2, address = $3, user_agent = $4 FROM extended WHERE s.uid_hash = extended.uid_hash
   RETURNING extended.expires_at AS "expiresAt"`,
)
