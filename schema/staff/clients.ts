import { builder } from '../builder/builder.ts'
import { searchPattern } from '../builder/search.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { ClientPageType, clientConnection } from '../oauth/clients/client.ts'
import type { ClientWithSecrets } from '../oauth/clients/client.ts'
import { listedClientColumns, toClient } from '../oauth/clients/client-row.ts'
import type { ClientRow } from '../oauth/clients/client-row.ts'
import { selectAllRows, searchCost, StaffType } from './staff.ts'

type ClientOrder = 'client_id' | 'name' | 'created'
interface ClientFilters {
  search?: string | null
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
  },
  filters: {
    search: ({ value }) => `concat_ws(E'\\n', r.client_id, r.name, r.publisher) ILIKE ${value}`,
    isDisabled: () => 'r.disabled_at IS NOT NULL',
  },
  toNode: toClient,
})

const OrderType = orderByType('StaffClientOrder', 'OAuth clients', {
  client_id: 'The public identifier.',
  name: 'The name, in upper or lower case.',
  created: 'When the client was registered.',
} satisfies Record<ClientOrder, string>)

builder.objectFields(StaffType, (t) =>
  listFields(t, 'clients', {
    description: 'All OAuth clients, by default by identifier. Their secrets are never returned.',
    page: ClientPageType,
    connection: clientConnection,
    list: clientList,
    cost: searchCost,
    args: builder.args((t) => ({
      search: t.string({ description: 'Only clients whose identifier, name or publisher contains this text, in upper or lower case.' }),
      isDisabled: t.boolean({ description: 'True for disabled clients, false for the others.' }),
      orderBy: t.field({ type: OrderType, description: 'The order; default by identifier.' }),
    })),
    query: ({ search, orderBy, ...filters }) => ({
      filters: { ...filters, search: searchPattern(search) },
      orderBy: orderBy ?? { field: 'client_id', direction: 'asc' },
    }),
  }),
)
