import { route } from '../route.ts'

/** Accepts every kind of credential. The OAuth metadata document lists it as UserInfo endpoint (docs/decisions/oauth.md#discovery). */
export const showAccount = route({
  operationId: 'v1.user.show',
  tool: 'whoami',
  method: 'get',
  path: '/v1/user',
  tag: 'Account',
  summary: 'Show the account behind the credential',
  description:
    'Account information for every kind of credential. Members that do not apply are null; no scope is needed. ' +
    'An app, which acts for a user, needs the scope `profile` for the name and `email` for the email address; otherwise they are null.',
  document: `query { viewer { kind id: userId name email team: teamSlug teams: teamSlugs scopes client_id: clientId expires_at: expiresAt } }`,
  response: { kind: 'resource', at: 'viewer' },
})

export const accountRoutes = [showAccount]
