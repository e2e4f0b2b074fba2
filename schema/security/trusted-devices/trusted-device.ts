import type { TrustedDevice } from '../../../prisma/generated/client/client.ts'
import { change } from '../../core/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { notFound } from '../../core/errors.ts'
import { sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { describeDevice, deviceField } from '../sessions/user-agent.ts'
import { trustHash } from './trust.ts'
import { identifierOf } from '../../core/global-id.ts'

export const TrustedDeviceType = builder.prismaObject('TrustedDevice', {
  fields: (t) => ({
    trustedDeviceId: t.exposeID('id'),
    device: t.string(deviceField),
    address: t.exposeString('address'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    isCurrent: t.boolean({
      description: 'Whether it is the browser of this request. False outside of the account site.',
      resolve: ({ hash, userId }, _, context) => trustHash(context, userId)?.equals(hash) ?? false,
    }),
  }),
})

builder.objectField(ViewerType, 'trustedDevices', (t) =>
  t.field({
    description:
      'The browsers in which sign-ins skip two-factor authentication at present, most recently used first. For account-site sessions.',
    type: [TrustedDeviceType],
    requires: sessionOnly,
    resolve: (_, __, context) =>
      context.database.prisma.trustedDevice.findMany({
        where: { userId: requirePerson(context).user.id, expiresAt: { gt: context.now() } },
        orderBy: [{ lastUsedAt: 'desc' }, { id: 'asc' }],
      }),
  }),
)

const RevokeTrustedDevicePayload = payloadType<{ trustedDevice: TrustedDevice }>('RevokeTrustedDevicePayload', {
  description: 'The device that is no longer trusted.',
  fields: (t) => ({
    trustedDevice: t.expose('trustedDevice', { type: TrustedDeviceType, description: 'The trusted device before its deletion.' }),
  }),
})
const RevokeTrustedDeviceInput = builder.inputType('RevokeTrustedDeviceInput', {
  fields: (t) => ({ id: t.id({ required: true, description: 'The identifier of the trusted device.' }) }),
})

builder.mutationField('revokeTrustedDevice', (t) =>
  t.field({
    description: 'Ends the trust in a browser: its next sign-in requires two-factor authentication. Sessions are not affected.',
    type: RevokeTrustedDevicePayload,
    requires: sessionOnly,
    args: { input: t.arg({ type: RevokeTrustedDeviceInput, required: true }) },
    resolve: (_, { input }, context, info) =>
      change(context, info, async ({ prisma }) => {
        const id = identifierOf(input.id, ['TrustedDevice'])
        const where = { id, userId: requirePerson(context).user.id, expiresAt: { gt: context.now() } }
        const trustedDevice = isIdentifier(id) ? await prisma.trustedDevice.findFirst({ where }) : null
        // Of two requests at once, the second deletes nothing.
        if (!trustedDevice || (await prisma.trustedDevice.deleteMany({ where })).count === 0) throw notFound()
        return { result: { trustedDevice }, subject: id, before: { device: describeDevice(trustedDevice.userAgent) } }
      }),
  }),
)
