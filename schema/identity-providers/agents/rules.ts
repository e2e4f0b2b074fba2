import { z } from 'zod'
import { tokenScopes } from '../../core/scopes.ts'
import { text } from '../../core/validation.ts'

/** Maximum number of clients to which a provider can give access. */
export const maxAgentClients = 50

const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)]

/** The clients to which a provider gives access, by their public identifiers, and the scopes that it gives. */
export const agentMembers = {
  clientIds: z.array(text.min(1).max(255)).max(maxAgentClients).transform(distinct),
  scopes: z.array(z.enum(tokenScopes)).transform(distinct),
}

/** The settings of a provider that gives no access to agents. */
export const noAgents = { agentsEnabledAt: null, agentClientIds: [], agentScopes: [], linksAgentsByAddress: false }
