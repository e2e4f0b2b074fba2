import { z } from 'zod'
import { route } from '../route.ts'
import { pageQuery } from '../query.ts'
import type { Input } from '../variables.ts'

const tag = 'Team tokens'
const token = `id: tokenId name hint scopes created_by: createdBy { id: userId name }
  created_at: createdAt last_used_at: lastUsedAt expires_at: expiresAt revoked_at: revokedAt
  previous_value: previousValue @include(if: $withPreviousValue) { hint expires_at: expiresAt }`

const expand = z
  .array(z.enum(['previous_value']))
  .optional()
  .describe('Related data to include: `previous_value` is the value before the last rotation, while it still works.')
const computed = { withPreviousValue: ({ expand }: Input) => Array.isArray(expand) && expand.includes('previous_value') }

export const tokenRoutes = [
  route({
    operationId: 'v1.teams.tokens.index',
    tool: 'list_tokens',
    method: 'get',
    path: '/v1/teams/{teamSlug}/tokens',
    tag,
    summary: 'List team tokens',
    description: 'Lists metadata of all access tokens of a team, newest first. Token values are never returned.',
    query: z.object({ ...pageQuery, expand }),
    computed,
    document: `query ($teamSlug: String!, $page: Int, $perPage: Int, $withPreviousValue: Boolean!) {
      team(slug: $teamSlug) { tokens(page: $page, perPage: $perPage) { nodes { ${token} } total page perPage } }
    }`,
    response: { kind: 'page', at: 'team.tokens' },
  }),
  route({
    operationId: 'v1.teams.tokens.show',
    tool: 'get_token',
    method: 'get',
    path: '/v1/teams/{teamSlug}/tokens/{tokenId}',
    tag,
    summary: 'Show a team token',
    description: 'Retrieves metadata of one team access token. The token value is never returned.',
    query: z.object({ expand }),
    computed,
    document: `query ($teamSlug: String!, $tokenId: ID!, $withPreviousValue: Boolean!) { team(slug: $teamSlug) { token(id: $tokenId) { ${token} } } }`,
    response: { kind: 'resource', at: 'team.token' },
  }),
]
