import type { Sizes } from '../data/sizes.ts'
import type { Script } from '../measure/connection.ts'
import { bearer, get, onEachConnection } from './request.ts'
import type { SeededData } from './request.ts'

/** The request that those of `growthRequests` are compared with: the first page of 1,000 members, for a caller with one team. */
export const growthReference = get('/api/v1/teams/acme/members')

/** A request that should cost no more than the reference although there is more data. */
interface GrowthRequest {
  name: string
  title: string
  /** Goal for its requests per second divided by those of the reference. */
  goal: number
  scripts(data: SeededData): Script[]
}

export const growthRequests = ({ largeTeam }: Sizes): readonly GrowthRequest[] => [
  {
    name: 'large-team',
    title: 'members page 1, team of 100,000 ÷ team of 1,000',
    goal: 0.8,
    scripts: get('/api/v1/teams/large/members', 'largeTeam'),
  },
  {
    name: 'last-page',
    title: 'last page of 100,000 ÷ first page of 1,000',
    goal: 0.75,
    scripts: get(`/api/v1/teams/large/members?page=${largeTeam / 50}`, 'largeTeam'),
  },
  {
    name: 'hundred-teams',
    title: 'caller with 100 teams ÷ with 1 team',
    goal: 0.95,
    scripts: get('/api/v1/teams/acme/members', 'hundredTeams'),
  },
  {
    name: 'thousand-teams',
    title: 'caller with 1,000 teams ÷ with 1 team',
    goal: 0.95,
    scripts: get('/api/v1/teams/acme/members', 'thousandTeams'),
  },
  ...(['2025-11-25', '2026-07-28'] as const).map((revision) => ({
    name: `mcp-${revision}`,
    title: `members page by a tool of \`/mcp\`, revision ${revision} ÷ REST`,
    // At most 1.15 times the cost.
    goal: 0.87,
    scripts: ({ callers }: SeededData) => onEachConnection(callTool(callers.oneTeam, revision, 'list_members', { team_slug: 'acme' })),
  })),
]

/** Returns the request by which a client of this revision calls a tool. */
function callTool(token: string, revision: string, name: string, sent: object): Script {
  const isStateless = revision === '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { name, arguments: sent, ...(isStateless && { _meta }) }
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      ...bearer(token),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': revision,
      ...(isStateless && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
}
