import { route } from '../route.ts'

export const account = [
  route({
    operationId: 'v1.user.show',
    method: 'get',
    path: '/v1/user',
    tag: 'Account',
    summary: 'Show the account behind the credential',
    description: 'Account information for every kind of credential. What does not apply is null; no scope is needed.',
    document: `query { viewer { kind id name email team: teamSlug teams: teamSlugs scopes client_id: clientId expires_at: expiresAt } }`,
    answer: { kind: 'resource', at: 'viewer' },
  }),
]
