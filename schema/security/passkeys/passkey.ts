import { builder } from '../../builder/builder.ts'
import { recentSession, sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { registrationOptions } from './registration.ts'

export const PasskeyType = builder.prismaObject('Passkey', {
  fields: (t) => ({
    passkeyId: t.exposeID('id'),
    name: t.exposeString('name'),
    isBackedUp: t.exposeBoolean('isBackedUp'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
})

const newestFirst = [{ createdAt: 'desc' as const }, { id: 'asc' as const }]

builder.objectFields(ViewerType, (t) => ({
  passkeys: t.prismaField({
    description: 'The passkeys of the signed-in user, newest first. For account-site sessions.',
    type: [PasskeyType],
    requires: sessionOnly,
    resolve: (query, _, __, context) =>
      context.database.prisma.passkey.findMany({ ...query, where: { userId: requirePerson(context).user.id }, orderBy: newestFirst }),
  }),
  passkeyRegistration: t.string({
    description:
      'A challenge for registering a passkey: WebAuthn creation options as JSON, valid for ten minutes. For account-site sessions.',
    requires: recentSession,
    async resolve(_, __, context) {
      const { user } = requirePerson(context)
      const passkeys = await context.database.prisma.passkey.findMany({ where: { userId: user.id }, orderBy: newestFirst })
      return registrationOptions(context, user, passkeys)
    },
  }),
}))
