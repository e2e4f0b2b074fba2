import type { Transaction } from '../prisma/client.ts'
import type { Session } from '../prisma/generated/client/client.ts'
import { lockAccount } from './account-lock.ts'
import { change } from './audit.ts'
import { builder } from './builder.ts'
import type { Context } from './context.ts'
import { notFound } from './errors.ts'
import { sessionPerson } from './reach.ts'
import { recentSession, sessionOnly } from './requires.ts'
import { endSessions } from './session-end.ts'
import { describeDevice } from './user-agent.ts'
import { isIdentifier } from './validation.ts'
import { ViewerType } from './viewer.ts'

export const SessionType = builder.prismaObject('Session', {
  fields: (t) => ({
    id: t.exposeID('id'),
    device: t.string({
      description: 'The browser and the system it runs on, as far as it says.',
      resolve: ({ userAgent }) => describeDevice(userAgent),
    }),
    address: t.exposeString('address'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime' }),
    isCurrent: t.boolean({
      description: 'Whether it is the one that asks.',
      resolve: ({ id }, _, { principal }) => principal?.kind === 'user' && principal.credentialId === id,
    }),
  }),
})

builder.objectField(ViewerType, 'sessions', (t) =>
  t.field({
    description: 'The browsers in which the person is signed in, the one used last first; for account-site sessions.',
    type: [SessionType],
    requires: sessionOnly,
    resolve: (_, __, context) => liveSessions(context.database.prisma, context),
  }),
)

const RevokeSessionPayload = builder.objectRef<{ session: Session }>('RevokeSessionPayload').implement({
  description: 'A session as it was.',
  fields: (t) => ({ session: t.expose('session', { type: SessionType, description: 'The session that ended.' }) }),
})
const RevokeOtherSessionsPayload = builder.objectRef<{ sessions: Session[] }>('RevokeOtherSessionsPayload').implement({
  description: 'Sessions as they were.',
  fields: (t) => ({ sessions: t.expose('sessions', { type: [SessionType], description: 'The sessions that ended.' }) }),
})

builder.mutationFields((t) => ({
  revokeSession: t.field({
    description: 'Signs the person out in one of their browsers, from its next request on.',
    type: RevokeSessionPayload,
    requires: recentSession,
    args: {
      input: t.arg({
        required: true,
        type: builder.inputType('RevokeSessionInput', { fields: (t) => ({ id: t.id({ required: true }) }) }),
      }),
    },
    resolve: (_, { input: { id } }, context, info) =>
      change(context, info, async (transaction) => {
        await takeTurn(transaction, context)
        const [session] = isIdentifier(id) ? await liveSessions(transaction, context, { id }) : []
        if (!session) throw notFound()
        const endedSessions = await endSessions(transaction, [session])
        return { result: { session }, subject: id, before: { device: describeDevice(session.userAgent) }, endedSessions }
      }),
  }),
  revokeOtherSessions: t.field({
    description: 'Signs the person out everywhere but in the browser that asks.',
    type: RevokeOtherSessionsPayload,
    requires: recentSession,
    resolve: (_, __, context, info) =>
      change(context, info, async (transaction) => {
        const { user, credentialId } = sessionPerson(context)
        await takeTurn(transaction, context)
        const sessions = (await liveSessions(transaction, context)).filter(({ id }) => id !== credentialId)
        const endedSessions = await endSessions(transaction, sessions)
        return { result: { sessions }, subject: user.id, before: { sessions: sessions.map(({ id }) => id) }, endedSessions }
      }),
  }),
}))

/** The sessions of whoever asks that have not ended, though the clean-up may not have come by yet. */
function liveSessions(prisma: Transaction, context: Context, where: object = {}): Promise<Session[]> {
  const { user } = sessionPerson(context)
  return prisma.session.findMany({
    where: { ...where, userId: user.id, artifact: { expiresAt: { gt: context.now() } } },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'asc' }],
  })
}

/** One change to a person's sessions at a time: of two who end the same one, the second finds it gone. */
async function takeTurn(transaction: Transaction, context: Context): Promise<void> {
  await lockAccount(transaction, { id: sessionPerson(context).user.id })
}
