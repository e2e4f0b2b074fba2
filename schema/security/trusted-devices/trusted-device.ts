import { readRows, trustedDeviceColumns } from '../../../prisma/statement/read-row.ts'
import type { TrustedDevice } from '../../../prisma/generated/client/client.ts'
import { change } from '../../core/audit/audit.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { trustHash } from '../../core/browser-session.ts'
import { notFound } from '../../core/errors.ts'
import { sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { isIdentifier } from '../../core/validation.ts'
import { defineList } from '../../lists/list.ts'
import { wholeListFields } from '../../lists/whole-list-fields.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { addressField, describeDevice, deviceField } from '../sessions/user-agent.ts'
import { parseIdentifier } from '../../core/global-id.ts'

/** The columns that the fields of a trusted device need. Lists select instants as text. */
interface DeviceRow extends Pick<TrustedDevice, 'id' | 'userId' | 'hash' | 'address' | 'userAgent'> {
  createdAt: Date | string
  lastUsedAt: Date | string
  expiresAt: Date | string
}

export const TrustedDeviceType = builder.objectRef<DeviceRow>('TrustedDevice').implement({
  describedBy: 'TrustedDevice',
  fields: (t) => ({
    trustedDeviceId: t.exposeID('id'),
    device: t.string(deviceField),
    address: t.string(addressField),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    isCurrent: t.boolean({
      description: 'Whether it is the browser of this request. False outside of the account site.',
      resolve: ({ hash, userId }, _, context) => trustHash(context, userId)?.equals(hash) ?? false,
    }),
  }),
})

const deviceList = defineList<Omit<DeviceRow, 'hash'> & { hash: string }, DeviceRow, 'last_used', { live: true }>({
  name: 'trusted devices',
  rows: (user) => `FROM trusted_devices r WHERE r.user_id = ${user}`,
  id: 'r.id',
  columns: `r.id, r.user_id AS "userId", encode(r.hash, 'hex') AS hash, r.address, r.user_agent AS "userAgent", r.created_at AS "createdAt",
    r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt"`,
  orders: { last_used: { keys: [['r.last_used_at', 'timestamptz']] } },
  filters: { live: ({ now }) => `r.expires_at > ${now}` },
  toNode: ({ hash, ...row }) => ({ ...row, hash: new Uint8Array(Buffer.from(hash, 'hex')) }),
})

builder.objectFields(ViewerType, (t) =>
  wholeListFields(t, 'trustedDevices', {
    description:
      'The browsers in which sign-ins currently skip two-factor authentication, most recently used first. For account-site sessions.',
    type: TrustedDeviceType,
    requires: sessionOnly,
    list: deviceList,
    owner: (context) => requirePerson(context).user.id,
    query: { filters: { live: true }, orderBy: { field: 'last_used', direction: 'desc' } },
  }),
)

const deleteDevice = `DELETE FROM trusted_devices d WHERE id = $1 AND user_id = $2 AND expires_at > $3 RETURNING ${trustedDeviceColumns}`

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
      change(context, info, async (transaction) => {
        const id = parseIdentifier(input.id, ['TrustedDevice'])
        const values = [id, requirePerson(context).user.id, context.now()]
        // If two requests arrive at once, the second deletes nothing.
        const [trustedDevice] = isIdentifier(id)
          ? await readRows<TrustedDevice>(transaction, 'delete_trusted_device', deleteDevice, values)
          : []
        if (!trustedDevice) throw notFound()
        return { result: { trustedDevice }, subject: id, before: { device: describeDevice(trustedDevice.userAgent) } }
      }),
  }),
)
