import { z } from 'zod'
import { route } from '../route.ts'
import { pageQuery } from '../validation.ts'

const tag = 'Team tokens'
const token = `id name hint scopes created_by: createdBy { id name }
  created_at: createdAt last_used_at: lastUsedAt expires_at: expiresAt revoked_at: revokedAt`

export const tokens = [
  route({
    operationId: 'v1.teams.tokens.index',
    method: 'get',
    path: '/v1/teams/{teamSlug}/tokens',
    tag,
    summary: 'List team tokens',
    description: 'Lists metadata of all access tokens of a team, newest first. Token values are never returned.',
    query: z.object(pageQuery),
    document: `query ($teamSlug: String!, $page: Int, $perPage: Int) {
      team(slug: $teamSlug) { tokens(page: $page, perPage: $perPage) { nodes { ${token} } total page perPage } }
    }`,
    answer: { kind: 'page', at: 'team.tokens' },
  }),
  route({
    operationId: 'v1.teams.tokens.show',
    method: 'get',
    path: '/v1/teams/{teamSlug}/tokens/{tokenId}',
    tag,
    summary: 'Show a team token',
    description: 'Retrieves metadata of one team access token. The token value is never returned.',
    document: `query ($teamSlug: String!, $tokenId: ID!) { team(slug: $teamSlug) { token(id: $tokenId) { ${token} } } }`,
    answer: { kind: 'resource', at: 'team.token' },
  }),
]
