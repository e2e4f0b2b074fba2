import type pg from 'pg'
import type { Session } from '../../../prisma/generated/client/client.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { endedSession, endOtherTrust } from '../../accounts/end-sessions.ts'
import type { Context } from '../../core/context.ts'
import type { EndedSession } from '../../core/ports.ts'
import { lockAccount } from '../../core/database/locks.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'

const endSessionsOfUser = `WITH ended AS (
    DELETE FROM oidc_models m USING sessions s
    WHERE m.kind = 'Session' AND m.uid_hash = s.uid_hash AND m.expires_at > $2
      AND s.user_id = $1 AND ($3::uuid IS NULL OR s.id = $3) AND s.id::text IS DISTINCT FROM $4
    RETURNING s.id, s.uid_hash AS "uidHash", s.user_id AS "userId", s.created_at AS "createdAt", s.authenticated_at AS "authenticatedAt",
      s.methods, s.last_used_at AS "lastUsedAt", s.address, s.user_agent AS "userAgent", ${endedSession})
  SELECT * FROM ended ORDER BY "lastUsedAt" DESC, id`

interface EndedSessions {
  sessions: (Session & EndedSession)[]
  /** Number of devices that lost the user's trust. */
  trustEnded: number
}

/**
 * Ends the sessions of the signed-in user that have not expired, or one of them, and returns them, most recently used first. Also ends the
 * trust of all other browsers, because a session does not identify its browser. The lock serializes changes to a user's sessions: if two
 * parallel requests end one session, the second ends none.
 */
export async function endLiveSessions(
  transaction: Transaction,
  context: Context,
  { id = null, exceptId = null }: { id?: string | null; exceptId?: string | null },
): Promise<EndedSessions> {
  const { user } = requirePerson(context)
  const values = [user.id, context.now(), id, exceptId]
  const [, ended, trustEnded]: [unknown, pg.QueryResult<Session & EndedSession>, number] = await Promise.all([
    lockAccount(transaction, { id: user.id }),
    transaction.query({ name: 'end_live_sessions', text: endSessionsOfUser, values }),
    endOtherTrust(transaction, context, user.id),
  ])
  return { sessions: ended.rows, trustEnded }
}
