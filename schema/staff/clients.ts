import { builder } from '../builder/builder.ts'
import { searchPattern } from '../builder/search.ts'
import { connectionType } from '../lists/connection.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { ClientPageType, ClientType } from '../oauth/clients/client.ts'
import type { ClientWithSecrets } from '../oauth/clients/client.ts'
import { allRowsOf, searchCost, StaffType } from './staff.ts'

type ClientOrder = 'client_id' | 'name' | 'created'
interface ClientFilters {
  search?: string | null
  isDisabled?: boolean | null | undefined
}
type ClientRow = Omit<ClientWithSecrets, 'secrets'> & { secrets: { createdAt: string; expiresAt: string | null }[] }

const clientList = defineList<ClientRow, ClientWithSecrets, ClientOrder, ClientFilters>({
  name: 'staff clients',
  rows: allRowsOf('oauth_clients'),
  id: 'r.id',
  // Secrets in the order of `longestValidFirst`. Their hashes are not selected.
  columns: `r.id, r.client_id AS "clientId", r.name, r.description, to_json(r.redirect_uris) AS "redirectUris", r.confidential,
    to_json(r.grant_types) AS "grantTypes", to_json(r.required_scopes) AS "requiredScopes", to_json(r.optional_scopes) AS "optionalScopes",
    r.team, r.refresh_replay_seconds AS "refreshReplaySeconds", r.logo_uri AS "logoUri", r.publisher, r.verified,
    r.client_uri AS "clientUri", r.policy_uri AS "policyUri", r.tos_uri AS "tosUri",
    to_json(r.post_logout_redirect_uris) AS "postLogoutRedirectUris", r.backchannel_logout_uri AS "backchannelLogoutUri",
    r.id_token_algorithm AS "idTokenAlgorithm", r.dpop_bound_access_tokens AS "dpopBoundAccessTokens", r.disabled_at AS "disabledAt", r.created_at AS "createdAt", r.updated_at AS "updatedAt",
    (SELECT coalesce(json_agg(json_build_object('createdAt', s.created_at, 'expiresAt', s.expires_at)
      ORDER BY s.expires_at DESC NULLS FIRST, s.created_at DESC, s.id DESC), '[]')
    FROM oauth_client_secrets s WHERE s.oauth_client_id = r.id) AS secrets`,
  orders: {
    client_id: { keys: [['r.client_id', 'text']] },
    name: { keys: [['lower(r.name)', 'text']] },
    created: { keys: [['r.created_at', 'timestamptz']] },
  },
  filters: {
    search: ({ value }) => `concat_ws(E'\\n', r.client_id, r.name, r.publisher) ILIKE ${value}`,
    isDisabled: () => 'r.disabled_at IS NOT NULL',
  },
  toNode: ({ secrets, ...client }) => ({
    ...client,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no field of a secret reads more than its times
    secrets: secrets.map(({ createdAt, expiresAt }) => ({
      createdAt: new Date(createdAt),
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })) as ClientWithSecrets['secrets'],
  }),
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
    connection: connectionType('OAuthClient', ClientType),
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
