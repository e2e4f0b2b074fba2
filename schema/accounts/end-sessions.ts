import { statement } from '../../prisma/statement/statement.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { EndedSession } from '../core/context.ts'

// A session ends by the deletion of oidc-provider's model of it; the session's row is deleted with the model.

/** What `change` reports about ended sessions after the commit. `m` is the deleted model. */
export const endedSession = `m.payload->>'accountId' AS "accountId", coalesce(m.payload->'authorizations', '{}') AS authorizations`

const endedSessionsOf = statement<EndedSession, [userId: string, exceptId: string | null]>(
  'end_sessions_of',
  `DELETE FROM oidc_models m WHERE kind = 'Session' AND uid_hash IN (SELECT uid_hash FROM sessions WHERE user_id = $1 AND id::text IS DISTINCT FROM $2)
   RETURNING ${endedSession}`,
)

/** Ends all sessions of a user, except one if given, and returns them. */
export async function endSessionsOf(transaction: Transaction, userId: string, exceptId?: string): Promise<EndedSession[]> {
  return endedSessionsOf(transaction, userId, exceptId ?? null)
}
