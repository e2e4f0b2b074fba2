import type { ClientSource } from '../../prisma/generated/client/enums.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { withDates } from '../builder/with-dates.ts'
import { seeTeamAccess } from '../core/requires.ts'
import { isUsableGrant } from '../core/team-access/live.ts'
import { ClientSourceType } from '../oauth/clients/client.ts'
import { clientOfGrant, isForTeam } from '../oauth/grants/find-grants.ts'
import { GrantClientType } from '../oauth/grants/grant.ts'
import { TeamType } from '../teams/team.ts'
import { maxAgentHosts, readAgentHosts } from './allowed-hosts.ts'
import { InitialAccessTokenType, listInitialAccessTokens, maxInitialAccessTokens } from './initial-access-token.ts'

/** A client that neither an operator nor an owner registered, and its use in a team. */
interface AgentClient {
  client: typeof GrantClientType.$inferType
  source: ClientSource
  memberCount: number
  lastUsedAt: Date | null
}

const maxClients = 100
const agentClients = statement<Omit<AgentClient, 'lastUsedAt'> & { lastUsedAt: string | null }, [teamId: string, now: Date]>(
  'agent_clients_of_team',
  `SELECT ${clientOfGrant} AS client, c.source, count(DISTINCT r.user_id)::int AS "memberCount", max(r.last_used_at) AS "lastUsedAt"
   FROM oauth_grants r JOIN oauth_clients c ON c.id = r.oauth_client_id JOIN users u ON u.id = r.user_id JOIN teams t ON t.id = r.team_id
     JOIN members m ON m.team_id = r.team_id AND m.user_id = r.user_id
   WHERE ${isForTeam('$1')} AND c.source IS NOT NULL AND ${isUsableGrant('$2', 't', 'r')}
   GROUP BY c.id ORDER BY max(r.last_used_at) DESC NULLS LAST, c.client_id LIMIT ${maxClients}`,
)

const AgentClientType = builder.objectRef<AgentClient>('TeamAgentClient').implement({
  description: 'A client that is described by a document or has registered itself, and its use in a team.',
  fields: (t) => ({
    client: t.expose('client', { type: GrantClientType, description: 'The client.' }),
    source: t.expose('source', { type: ClientSourceType, describedBy: 'OAuthClient.source' }),
    memberCount: t.exposeInt('memberCount', { description: 'The number of members who have connected it to the team.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used for the team, to the minute, or null.',
    }),
  }),
})

export const TeamAgentsType = builder.objectRef<{ teamId: string }>('TeamAgents').implement({
  description: 'The agents of a team: which clients by URL its members can connect to it, and which ones they have connected.',
  fields: (t) => ({
    allowedHosts: t.stringList({
      description: `The hosts whose clients members can connect to the team, at most ${maxAgentHosts}, by name.`,
      resolve: ({ teamId }, _, { database }) => readAgentHosts(database.pool, teamId),
    }),
    clients: t.field({
      description: `The clients that are described by a document or have registered themselves and that members have connected to the team, last used first, at most ${maxClients}.`,
      type: [AgentClientType],
      complexity: { field: 1, multiplier: 10 },
      resolve: async ({ teamId }, _, { database, now }) =>
        (await agentClients(database.pool, teamId, now())).map((row) => withDates(row, ['lastUsedAt'])),
    }),
    initialAccessTokens: t.field({
      description: 'The tokens with which software can register clients of the team, latest first. Their values are never returned.',
      type: [InitialAccessTokenType],
      complexity: { field: 1, multiplier: maxInitialAccessTokens },
      resolve: ({ teamId }, _, context) => listInitialAccessTokens(context, teamId),
    }),
  }),
})

builder.objectField(TeamType, 'agents', (t) =>
  t.field({
    description: 'The agents of the team. For owners.',
    type: TeamAgentsType,
    requires: seeTeamAccess,
    resolve: ({ id }) => ({ teamId: id }),
  }),
)
