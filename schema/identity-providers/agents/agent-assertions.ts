import type { IdentityProvider } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { selectClientColumns } from '../../oauth/clients/client-row.ts'
import { GrantClientType } from '../../oauth/grants/grant.ts'
import type { GrantWithParts } from '../../oauth/grants/grant.ts'
import { IdentityProviderType } from '../provider.ts'

const clientProperties = [
  'clientId',
  'name',
  'description',
  'logoUri',
  'publisher',
  'verified',
  'clientUri',
  'policyUri',
  'tosUri',
  'requiredScopes',
] as const satisfies readonly (keyof GrantWithParts['client'])[]

const clientsOfAgents = statement<GrantWithParts['client'], [clientIds: readonly string[]]>(
  'clients_of_agents',
  `SELECT ${selectClientColumns('c', clientProperties)} FROM oauth_clients c
   WHERE c.client_id = ANY ($1) AND c.disabled_at IS NULL ORDER BY lower(c.name), c.client_id`,
)

const AgentAssertionsType = builder.objectRef<IdentityProvider>('AgentAssertions').implement({
  description:
    'Access that an identity provider gives to agents for members of its team: the provider signs an assertion (ID-JAG), for which the client of the agent gets an access token without asking the member.',
  fields: (t) => ({
    enabled: t.boolean({
      description: 'Whether an owner allowed the provider to give access.',
      resolve: ({ agentsEnabledAt }) => agentsEnabledAt !== null,
    }),
    enabledAt: t.expose('agentsEnabledAt', { type: 'DateTime', nullable: true, describedBy: 'IdentityProvider.agentsEnabledAt' }),
    clientIds: t.exposeStringList('agentClientIds', { describedBy: 'IdentityProvider.agentClientIds' }),
    clients: t.field({
      type: [GrantClientType],
      description: 'Those of the clients that are registered and enabled, by name.',
      resolve: ({ agentClientIds }, _, { database: { pool } }) => clientsOfAgents(pool, agentClientIds),
    }),
    scopes: t.exposeStringList('agentScopes', { describedBy: 'IdentityProvider.agentScopes' }),
    linkByAddress: t.exposeBoolean('linksAgentsByAddress', { describedBy: 'IdentityProvider.linksAgentsByAddress' }),
  }),
})

builder.objectField(IdentityProviderType, 'agentAssertions', (t) =>
  t.field({
    type: AgentAssertionsType,
    description: 'The access that the provider gives to agents. Only OpenID providers can give it.',
    complexity: 5,
    resolve: (provider) => provider,
  }),
)
