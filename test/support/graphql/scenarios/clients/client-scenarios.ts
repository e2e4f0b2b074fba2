import { expect } from 'vitest'
import { operator } from '../../../service/in-process.ts'
import { createClient } from '../../../oauth/oauth.ts'
import { unique } from '../../../data/team.ts'
import type { Scenario, ScenarioContext } from '../scenario.ts'

/** The registration of a client with the defaults of `createClient`. */
export const registration = {
  name: 'Example App',
  description: null,
  redirectUris: ['https://app.example/callback'],
  confidential: true,
  grantTypes: ['authorization_code', 'refresh_token'],
  requiredScopes: ['openid'],
  optionalScopes: ['profile', 'email', 'offline_access', 'teams', 'acct:team:read', 'acct:team:members:read'],
  team: 'none',
  refreshReplaySeconds: 0,
  logoUri: null,
  publisher: null,
  verified: false,
  clientUri: null,
  policyUri: null,
  tosUri: null,
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  idTokenSignedResponseAlg: 'ES256',
  dpopBoundAccessTokens: false,
  requirePushedAuthorizationRequests: false,
  requireKeyAuthentication: false,
  jwks: null,
  jwksUri: null,
}

/** Prepares a mutation by the operator on a new client. */
const onClient =
  (expected: Omit<Scenario, 'principal'>) =>
  async ({ service: { database } }: ScenarioContext): Promise<Scenario> => {
    const { clientId } = await createClient(database)
    return { principal: operator, variables: { id: clientId }, subject: clientId, ...expected }
  }

/** Scenarios of the mutations that change OAuth clients. */
export const clientScenarios: Record<string, { document: string; prepare(context: ScenarioContext): Promise<Scenario> | Scenario }> = {
  createClient: {
    document:
      'mutation ($id: ID!) { createClient(input: { clientId: $id, name: "App", confidential: true, redirectUris: ["https://app.example/cb"], grantTypes: ["authorization_code"], requiredScopes: ["openid"] }) { clientSecret } }',
    prepare() {
      const id = unique('new')
      const input = { name: 'App', redirectUris: ['https://app.example/cb'], grantTypes: ['authorization_code'], optionalScopes: [] }
      return { principal: operator, variables: { id }, subject: id, after: { ...registration, ...input } }
    },
  },
  updateClient: {
    document: 'mutation ($id: ID!) { updateClient(input: { clientId: $id, name: "App", team: REQUIRED }) { client { name } } }',
    prepare: onClient({ before: { name: 'Example App', team: 'none' }, after: { name: 'App', team: 'required' } }),
  },
  rotateClientSecret: {
    document: 'mutation ($id: ID!) { rotateClientSecret(input: { clientId: $id, overlapSeconds: 60 }) { clientSecret } }',
    prepare: onClient({ after: { overlapSeconds: 60 } }),
  },
  disableClient: {
    document: 'mutation ($id: ID!) { disableClient(input: { clientId: $id }) { client { clientId } } }',
    prepare: onClient({ before: { disabled: false }, after: { disabled: true } }),
  },
  enableClient: {
    document: 'mutation ($id: ID!) { enableClient(input: { clientId: $id }) { client { clientId } } }',
    async prepare(context) {
      const scenario = await onClient({ before: { disabled: true }, after: { disabled: false } })(context)
      const where = { clientId: String(scenario.subject) }
      await context.service.database.prisma.oAuthClient.update({ where, data: { disabledAt: new Date() } })
      return scenario
    },
  },
  deleteClient: {
    document: 'mutation ($id: ID!) { deleteClient(input: { clientId: $id }) { client { clientId } } }',
    prepare: onClient({ before: expect.objectContaining({ name: 'Example App', confidential: true }) }),
  },
}
