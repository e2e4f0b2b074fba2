import type { ClientState } from '../../../prisma/generated/client/enums.ts'
import { builder } from '../../builder/builder.ts'
import { searchPattern } from '../../builder/search.ts'
import { notFound } from '../../core/errors.ts'
import { defineList } from '../../lists/list.ts'
import { listFields } from '../../lists/list-fields.ts'
import { orderByType } from '../../lists/order-by.ts'
import { TeamType } from '../../teams/team.ts'
import { seeTeamTokens } from '../../tokens/rules.ts'
import { listedClientColumns, toClient } from '../clients/client-row.ts'
import type { ClientRow } from '../clients/client-row.ts'
import { ClientPageType, ClientStateType, ClientType, clientConnection, findClient } from '../clients/client.ts'
import type { ClientWithSecrets } from '../clients/client.ts'
import { maxTeamClients } from './own-client.ts'

type ClientOrder = 'created' | 'name'
interface ClientFilters {
  state?: ClientState | null | undefined
  search?: string | null
}

const teamClientList = defineList<ClientRow, ClientWithSecrets, ClientOrder, ClientFilters>({
  name: 'clients of a team',
  rows: (team) => `FROM oauth_clients r WHERE r.owner_team_id = ${team}`,
  id: 'r.id',
  columns: listedClientColumns,
  orders: { created: { keys: [['r.created_at', 'timestamptz']] }, name: { keys: [['lower(r.name)', 'text']] } },
  filters: {
    state: ({ value }) => `r.state = ${value}::"ClientState"`,
    search: ({ value }) => `concat_ws(E'\\n', r.client_id, r.name) ILIKE ${value}`,
  },
  toNode: toClient,
})

const OrderType = orderByType('OAuthClientOrder', 'OAuth clients', {
  created: 'When the client was registered.',
  name: 'The name, in upper or lower case.',
} satisfies Record<ClientOrder, string>)

builder.objectFields(TeamType, (t) => ({
  ...listFields(t, 'clients', {
    description: `The OAuth clients that the team has registered, of which it can have ${maxTeamClients}. Their secrets are never returned.`,
    requires: seeTeamTokens,
    page: ClientPageType,
    connection: clientConnection,
    list: teamClientList,
    args: builder.args((arg) => ({
      state: arg.field({ type: ClientStateType, description: 'Only clients in this state.' }),
      search: arg.string({ description: 'Only clients whose identifier or name contains this text, in upper or lower case.' }),
      orderBy: arg.field({ type: OrderType, description: 'The order; default by registration, latest first.' }),
    })),
    query: ({ state, search, orderBy }) => ({
      filters: { state, search: searchPattern(search) },
      orderBy: orderBy ?? { field: 'created', direction: 'desc' },
    }),
  }),
  client: t.field({
    description: 'One OAuth client of the team.',
    type: ClientType,
    requires: seeTeamTokens,
    args: { id: t.arg.id({ required: true, description: 'The client’s public identifier, or the global id.' }) },
    resolve: async ({ id }, args, { database }) => {
      const client = await findClient(database, args.id)
      if (client.ownerTeamId !== id) throw notFound()
      return client
    },
  }),
}))
