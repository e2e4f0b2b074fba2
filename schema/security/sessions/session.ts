import type { Session } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import type { Context } from '../../core/context.ts'
import { sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { deviceField } from './user-agent.ts'

export const SessionType = builder.prismaObject('Session', {
  fields: (t) => ({
    sessionId: t.exposeID('id'),
    device: t.string(deviceField),
    address: t.exposeString('address'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime' }),
    isCurrent: t.boolean({
      description: 'Whether it is the session of this request.',
      resolve: ({ id }, _, { principal }) => principal?.kind === 'user' && principal.credentialId === id,
    }),
  }),
})

builder.objectField(ViewerType, 'sessions', (t) =>
  t.field({
    description: 'The sessions of the signed-in user, most recently used first. For account-site sessions.',
    type: [SessionType],
    requires: sessionOnly,
    resolve: (_, __, context) => findLiveSessions(context),
  }),
)

/** Returns the signed-in user's sessions that have not expired. Expired rows remain until the next clean-up. */
function findLiveSessions(context: Context): Promise<Session[]> {
  return context.database.prisma.session.findMany({
    where: { userId: requirePerson(context).user.id, model: { expiresAt: { gt: context.now() } } },
    orderBy: [{ lastUsedAt: 'desc' }, { id: 'asc' }],
  })
}
