import type { ClientState } from '../../prisma/generated/client/enums.ts'
import { builder } from '../builder/builder.ts'
import { parseSearch } from '../builder/search.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import {
  ClientPageType,
  ClientStateType,
  ClientType,
  clientConnection,
  findClient,
  isInState,
  isWaitingForReview,
} from '../oauth/clients/client.ts'
import type { ClientWithSecrets } from '../oauth/clients/client.ts'
import { listedClientColumns, toClient } from '../oauth/clients/client-row.ts'
import type { ClientRow } from '../oauth/clients/client-row.ts'
import { selectAllRows, searchCost, StaffType } from './staff.ts'
import { clientWords, hasWords, toWordQuery } from './words.ts'

type ClientOrder = 'client_id' | 'name' | 'created' | 'review'
interface ClientFilters {
  search?: string | null
  state?: ClientState | null | undefined
  isDisabled?: boolean | null | undefined
}
const clientList = defineList<ClientRow, ClientWithSecrets, ClientOrder, ClientFilters>({
  name: 'staff clients',
  rows: selectAllRows('oauth_clients'),
  id: 'r.id',
  columns: listedClientColumns,
  orders: {
    client_id: { keys: [['r.client_id', 'text']] },
    name: { keys: [['lower(r.name)', 'text']] },
    created: { keys: [['r.created_at', 'timestamptz']] },
    // The keys are those of the index `oauth_clients_review`. The time of the submission is not stored.
    review: {
      keys: [
        [`CASE WHEN ${isWaitingForReview('r')} THEN 0 ELSE 1 END`, 'int'],
        ['r.updated_at', 'timestamptz'],
      ],
    },
  },
  filters: {
    search: ({ value }) => hasWords(clientWords('r'), value),
    state: ({ value }) => isInState('r', `(${value}::"ClientState")`),
    isDisabled: () => 'r.disabled_at IS NOT NULL',
  },
  toNode: toClient,
})

const OrderType = orderByType('StaffClientOrder', 'OAuth clients', {
  client_id: 'The public identifier.',
  name: 'The name, in upper or lower case.',
  created: 'When the client was registered.',
  review: 'First those that wait for a review, then the others; of each, those that have not changed for longest.',
} satisfies Record<ClientOrder, string>)

builder.objectFields(StaffType, (t) => ({
  ...listFields(t, 'clients', {
    description: 'All OAuth clients, by default by identifier. Their secrets are never returned.',
    page: ClientPageType,
    connection: clientConnection,
    list: clientList,
    cost: searchCost,
    args: builder.args((t) => ({
      search: t.string({
        description:
          'Only clients whose identifier, name and publisher have words that begin with the words of this text, as in `staff.search`.',
      }),
      state: t.field({
        type: ClientStateType,
        description: 'Only clients in this state. With `SUBMITTED`, also listed clients with proposed changes.',
      }),
      isDisabled: t.boolean({ description: 'True for disabled clients, false for the others.' }),
      orderBy: t.field({ type: OrderType, description: 'The order; default by identifier.' }),
    })),
    query: ({ search, orderBy, ...filters }) => {
      const searched = parseSearch(search)
      return {
        filters: { ...filters, search: searched === null ? null : toWordQuery(searched) },
        orderBy: orderBy ?? { field: 'client_id', direction: 'asc' },
      }
    },
  }),
  client: t.field({
    description: 'One OAuth client, with the changes that wait for a review. Its secrets are never returned.',
    type: ClientType,
    args: { clientId: t.arg.id({ required: true, description: 'The client’s public identifier, or the global id.' }) },
    resolve: (_, { clientId }, { database }) => findClient(database, clientId),
  }),
}))
