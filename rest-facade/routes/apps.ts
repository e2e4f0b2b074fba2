import { z } from 'zod'
import { route } from '../route.ts'
import { pageQuery } from '../query.ts'

const tag = 'Products'
const app = 'id: appId name description url status connected_at: connectedAt'

export const appRoutes = [
  route({
    operationId: 'v1.teams.apps.index',
    tool: 'list_apps',
    method: 'get',
    path: '/v1/teams/{teamSlug}/apps',
    tag,
    summary: 'List products',
    description: 'Lists all products that a team uses.',
    query: z.object(pageQuery),
    document: `query ($teamSlug: String!, $page: Int, $perPage: Int) {
      team(slug: $teamSlug) { apps(page: $page, perPage: $perPage) { nodes { ${app} } total page perPage } }
    }`,
    response: { kind: 'page', at: 'team.apps' },
  }),
  route({
    operationId: 'v1.teams.apps.show',
    tool: 'get_app',
    method: 'get',
    path: '/v1/teams/{teamSlug}/apps/{appId}',
    tag,
    summary: 'Show a product',
    description: 'Retrieves one product that a team uses.',
    document: `query ($teamSlug: String!, $appId: ID!) { team(slug: $teamSlug) { app(id: $appId) { ${app} } } }`,
    response: { kind: 'resource', at: 'team.app' },
  }),
]
