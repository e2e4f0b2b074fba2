import { route } from '../route.ts'

/** Every kind of credential tells of itself here; the OAuth metadata names it in place of UserInfo. */
export const showAccount = route({
  operationId: 'v1.user.show',
  method: 'get',
  path: '/v1/user',
  tag: 'Account',
  summary: 'Show the account behind the credential',
  description:
    'Account information for every kind of credential. What does not apply is null; no scope is needed. ' +
    'An application that acts for a person is told their name with the scope `profile` and their address with `email`, else null.',
  document: `query { viewer { kind id name email team: teamSlug teams: teamSlugs scopes client_id: clientId expires_at: expiresAt } }`,
  answer: { kind: 'resource', at: 'viewer' },
})

export const account = [showAccount]
