import type pg from 'pg'
import type { Session } from '../../../prisma/generated/client/client.ts'
import type { Transaction } from '../../../prisma/statement/transaction.ts'
import { endAccountSupport, endedSession, endOtherTrust } from '../../accounts/end-sessions.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { change } from '../../core/audit/audit.ts'
import type { Context } from '../../core/context.ts'
import { lockAccount } from '../../core/database/locks.ts'
import { notFound } from '../../core/errors.ts'
import { parseIdentifier } from '../../core/global-id.ts'
import type { EndedSession } from '../../core/ports.ts'
import { recentSession } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { SessionType } from './session.ts'
import { describeDevice } from './user-agent.ts'

const RevokeSessionPayload = payloadType<{ session: Session }>('RevokeSessionPayload', {
  description: 'A session before it ended.',
  fields: (t) => ({ session: t.expose('session', { type: SessionType, description: 'The session that ended.' }) }),
})
const RevokeOtherSessionsPayload = payloadType<{ sessions: Session[] }>('RevokeOtherSessionsPayload', {
  description: 'Sessions before they ended.',
  fields: (t) => ({ sessions: t.expose('sessions', { type: [SessionType], description: 'The sessions that ended.' }) }),
})
const RevokeSessionInput = builder.inputType('RevokeSessionInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the session.' }) }),
})

builder.mutationFields((t) => ({
  revokeSession: t.field({
    description:
      'Ends one session of the signed-in user. Its next request is unauthenticated. Other browsers are no longer trusted devices.',
    type: RevokeSessionPayload,
    requires: recentSession,
    args: { input: t.arg({ type: RevokeSessionInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async (transaction) => {
        const id = parseIdentifier(input.id, ['Session'])
        const [session] = isIdentifier(id) ? (await endLiveSessions(transaction, context, { id })).sessions : []
        if (!session) throw notFound()
        return { result: { session }, subject: id, before: { device: describeDevice(session.userAgent) }, endedSessions: [session] }
      }),
  }),
  revokeOtherSessions: t.field({
    description: 'Ends all sessions of the signed-in user except the current one. Other browsers are no longer trusted devices.',
    type: RevokeOtherSessionsPayload,
    requires: recentSession,
    resolve: (_, __, context, info) =>
      change(context, info, async (transaction) => {
        const { user, credentialId } = requirePerson(context)
        const { sessions, trustEnded } = await endLiveSessions(transaction, context, { exceptId: credentialId })
        endAccountSupport(transaction, user.id)
        const before = { sessions: sessions.map(({ id }) => id), ...(trustEnded > 0 && { trustedDevices: trustEnded }) }
        const isUnchanged = sessions.length === 0 && trustEnded === 0
        return { result: { sessions }, subject: user.id, before, endedSessions: sessions, isUnchanged }
      }),
  }),
}))

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
async function endLiveSessions(
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
