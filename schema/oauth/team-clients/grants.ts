import { builder } from '../../builder/builder.ts'
import { pageType } from '../../builder/pagination.ts'
import { withDates } from '../../builder/with-dates.ts'
import { isUsableGrant } from '../../core/team-access/live.ts'
import { connectionType } from '../../lists/connection.ts'
import { defineList } from '../../lists/list.ts'
import { listFields } from '../../lists/list-fields.ts'
import { orderByType } from '../../lists/order-by.ts'
import { PersonType } from '../../teams/person.ts'
import { byLastUse } from '../../tokens/credential-filters.ts'
import { ClientType } from '../clients/client.ts'

/** A grant as the owner of the client sees it. It contains the user only if they are a member of the team that owns the client. */
interface ClientGrant {
  id: string
  scopes: string[]
  createdAt: Date
  lastUsedAt: Date | null
  expiresAt: Date
  member: { id: string; name: string; pictureId: string | null } | null
}
type ClientGrantRow = Omit<ClientGrant, 'createdAt' | 'lastUsedAt' | 'expiresAt'> & {
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string
}
type ClientGrantOrder = 'created' | 'last_used'

const clientGrantList = defineList<ClientGrantRow, ClientGrant, ClientGrantOrder, { usable: true }>({
  name: 'grants of a client',
  rows: (client) => `FROM oauth_grants r JOIN oauth_clients c ON c.id = r.oauth_client_id JOIN users u ON u.id = r.user_id
    LEFT JOIN teams t ON t.id = r.team_id WHERE r.oauth_client_id = ${client}`,
  id: 'r.id',
  columns: `r.id, to_json(r.scopes) AS scopes, r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt", r.expires_at AS "expiresAt",
    (SELECT json_build_object('id', u.id, 'name', u.name, 'pictureId', u.picture_id)
     FROM members m WHERE m.team_id = c.owner_team_id AND m.user_id = r.user_id) AS member`,
  orders: { created: { keys: [['r.created_at', 'timestamptz']] }, last_used: byLastUse },
  filters: { usable: ({ now }) => isUsableGrant(now, 't', 'r') },
  toNode: (row) => withDates(row, ['createdAt', 'lastUsedAt', 'expiresAt']),
})

const ClientGrantType = builder.objectRef<ClientGrant>('OAuthClientGrant').implement({
  description: 'A live grant to a client, as the owner of the client sees it.',
  describedBy: 'OAuthGrant',
  fields: (t) => ({
    scopes: t.exposeStringList('scopes'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    lastUsedAt: t.expose('lastUsedAt', { type: 'DateTime', nullable: true }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    member: t.expose('member', {
      type: PersonType,
      nullable: true,
      description: 'The user, if it is a member of the team that owns the client. Null for everyone else.',
    }),
  }),
})

const OrderType = orderByType('OAuthClientGrantOrder', 'grants of a client', {
  created: 'When the grant was created.',
  last_used: 'When the grant was last used.',
} satisfies Record<ClientGrantOrder, string>)

builder.objectFields(ClientType, (t) =>
  listFields(t, 'grants', {
    description: 'The live grants to the client. Of the users, only members of the team that owns the client are named.',
    page: pageType('OAuthClientGrantPage', ClientGrantType),
    connection: connectionType('OAuthClientGrant', ClientGrantType),
    list: clientGrantList,
    args: builder.args((arg) => ({
      orderBy: arg.field({ type: OrderType, description: 'The order; default by last use, latest first.' }),
    })),
    query: ({ orderBy }) => ({ filters: { usable: true }, orderBy: orderBy ?? { field: 'last_used', direction: 'desc' } }),
  }),
)
