import type { Session } from '../../../prisma/generated/client/client.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { notFound } from '../../core/errors.ts'
import { recentSession } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { endLiveSessions } from './end-live-sessions.ts'
import { SessionType } from './session.ts'
import { describeDevice } from './user-agent.ts'
import { parseIdentifier } from '../../core/global-id.ts'

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
        const before = { sessions: sessions.map(({ id }) => id), ...(trustEnded > 0 && { trustedDevices: trustEnded }) }
        const isUnchanged = sessions.length === 0 && trustEnded === 0
        return { result: { sessions }, subject: user.id, before, endedSessions: sessions, isUnchanged }
      }),
  }),
}))
