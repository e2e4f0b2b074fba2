import type { Session } from '../../../prisma/generated/client/client.ts'
import { builder } from '../../builder/builder.ts'
import { sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { defineList } from '../../lists/list.ts'
import { wholeListFields } from '../../lists/whole-list-fields.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import { addressField, deviceField } from './user-agent.ts'

/** The columns that the fields of a session need. Lists select instants as text. */
interface SessionRow extends Pick<Session, 'id' | 'address' | 'userAgent'> {
  createdAt: Date | string
  lastUsedAt: Date | string
}

export const SessionType = builder.objectRef<SessionRow>('Session').implement({
  describedBy: 'Session',
  fields: (t) => ({
    sessionId: t.exposeID('id'),
    device: t.string(deviceField),
    address: t.string(addressField),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime' }),
    isCurrent: t.boolean({
      description: 'Whether it is the session of this request.',
      resolve: ({ id }, _, { principal }) => principal?.kind === 'user' && principal.credentialId === id,
    }),
  }),
})

/** The sessions of a user that have not expired. Expired rows remain until the next cleanup. */
const sessionList = defineList<SessionRow, SessionRow, 'last_used', { live: true }>({
  name: 'sessions',
  rows: (user) => `FROM sessions r JOIN oidc_models m ON m.uid_hash = r.uid_hash WHERE r.user_id = ${user}`,
  id: 'r.id',
  columns: `r.id, r.address, r.user_agent AS "userAgent", r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt"`,
  orders: { last_used: { keys: [['r.last_used_at', 'timestamptz']] } },
  filters: { live: ({ now }) => `m.expires_at > ${now}` },
  toNode: (row) => row,
})

builder.objectFields(ViewerType, (t) =>
  wholeListFields(t, 'sessions', {
    description: 'The sessions of the signed-in user, most recently used first. For account-site sessions.',
    type: SessionType,
    requires: sessionOnly,
    list: sessionList,
    owner: (context) => requirePerson(context).user.id,
    query: { filters: { live: true }, orderBy: { field: 'last_used', direction: 'desc' } },
  }),
)
