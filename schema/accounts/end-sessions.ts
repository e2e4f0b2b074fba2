import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import { trustHash } from '../core/browser-session.ts'
import type { Context } from '../core/context.ts'
import type { EndedSession } from '../core/ports.ts'
import { requirePerson } from '../core/team-access/team-access.ts'

// A session ends by the deletion of oidc-provider's model of it; the session's row is deleted with the model.

/** The columns that `change` reports about ended sessions after the commit. `m` is the deleted model. */
export const endedSession = `m.payload->>'accountId' AS "accountId", coalesce(m.payload->'authorizations', '{}') AS authorizations`

const deleteSessions = statement<EndedSession, [userId: string, exceptId: string | null]>(
  'end_sessions_of',
  `DELETE FROM oidc_models m WHERE kind = 'Session' AND uid_hash IN (SELECT uid_hash FROM sessions WHERE user_id = $1 AND id::text IS DISTINCT FROM $2)
   RETURNING ${endedSession}`,
)

const endSupportSession = statement<object, [userId: string]>(
  'end_support_session_of_account',
  'UPDATE support_sessions SET ended_at = least(expires_at, now()) WHERE user_id = $1 AND ended_at IS NULL',
)

/** Ends the support session of an account. A user who ends all sessions or chooses a new password expects that staff no longer read the account. */
export const endAccountSupport = (transaction: Transaction, userId: string): void =>
  transaction.defer(endSupportSession(transaction, userId))

/** Ends all sessions of a user, except one if given, and returns them. The support session of the account ends with them. */
export async function endUserSessions(transaction: Transaction, userId: string, exceptId?: string): Promise<EndedSession[]> {
  endAccountSupport(transaction, userId)
  return deleteSessions(transaction, userId, exceptId ?? null)
}

const deleteOtherTrust = statement<{ id: string }, [userId: string, hash: Buffer | null]>(
  'end_trust_of_others',
  'DELETE FROM trusted_devices WHERE user_id = $1 AND hash IS DISTINCT FROM $2 RETURNING id',
)

/** Ends the trust of all browsers of a user except that of this request. Returns their number. */
export const endOtherTrust = async (transaction: Transaction, context: Context, userId: string): Promise<number> =>
  (await deleteOtherTrust(transaction, userId, trustHash(context, userId))).length

/** Ends the trust of all browsers of a user. Returns their number. */
export const endAllTrust = async (transaction: Transaction, userId: string): Promise<number> =>
  (await deleteOtherTrust(transaction, userId, null)).length

/** The input field of mutations that change the credentials of an account. */
export const endOtherSessionsField = {
  defaultValue: true,
  description: 'Whether all other sessions of the user end, and the trust in other browsers.',
} as const

/**
 * Ends the other sessions of the caller, and the trust in other browsers, unless the input refuses it. These may belong to an attacker who
 * knew only the replaced credential. Call it after the account is locked; a refusal of the change restores the sessions. Returns the
 * sessions and the part of the audit entry about them.
 */
export async function endOtherSessions(transaction: Transaction, context: Context, isWanted: boolean | null | undefined) {
  if (isWanted === false) return { endedSessions: [], audited: {} }
  const { user, credentialId } = requirePerson(context)
  const [endedSessions] = await Promise.all([
    endUserSessions(transaction, user.id, credentialId),
    endOtherTrust(transaction, context, user.id),
  ])
  return { endedSessions, audited: endedSessions.length > 0 ? { sessionsEnded: endedSessions.length } : {} }
}
