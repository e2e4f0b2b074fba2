import { passkeyColumns, readRows } from '../../../prisma/statement/read-row.ts'
import type { Passkey } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import { recentSession, sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { defineList } from '../../lists/list.ts'
import { wholeListFields } from '../../lists/whole-list-fields.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { registrationOptions } from './registration.ts'

/** The columns that the fields of a passkey need. Lists select instants as text. */
interface PasskeyRow extends Pick<Passkey, 'id' | 'name' | 'isBackedUp'> {
  createdAt: Date | string
  lastUsedAt: Date | string | null
}

export const PasskeyType = builder.objectRef<PasskeyRow>('Passkey').implement({
  describedBy: 'Passkey',
  fields: (t) => ({
    passkeyId: t.exposeID('id'),
    name: t.exposeString('name'),
    isBackedUp: t.exposeBoolean('isBackedUp'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
  }),
})

const passkeyList = defineList<PasskeyRow, PasskeyRow, 'created', object>({
  name: 'passkeys',
  rows: (user) => `FROM passkeys r WHERE r.user_id = ${user}`,
  id: 'r.id',
  columns: `r.id, r.name, r.is_backed_up AS "isBackedUp", r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt"`,
  orders: { created: { keys: [['r.created_at', 'timestamptz']] } },
  filters: {},
  toNode: (row) => row,
})

const passkeysOfUser = `SELECT ${passkeyColumns} FROM passkeys p WHERE user_id = $1 ORDER BY created_at DESC, id`

builder.objectFields(ViewerType, (t) => ({
  ...wholeListFields(t, 'passkeys', {
    description: 'The passkeys of the signed-in user, newest first. For account-site sessions.',
    type: PasskeyType,
    requires: sessionOnly,
    list: passkeyList,
    owner: (context) => requirePerson(context).user.id,
    query: { filters: {}, orderBy: { field: 'created', direction: 'desc' } },
  }),
  passkeyRegistration: t.string({
    description:
      'A challenge for registering a passkey: WebAuthn creation options as JSON, valid for ten minutes. For account-site sessions.',
    requires: recentSession,
    async resolve(_, __, context) {
      const { user } = requirePerson(context)
      const passkeys = await readRows<Passkey>(context.database.pool, 'passkeys_of_user', passkeysOfUser, [user.id])
      return registrationOptions(context, user, passkeys)
    },
  }),
}))
