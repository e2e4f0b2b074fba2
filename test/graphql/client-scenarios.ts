import { expect } from 'vitest'
import { operator } from '../support/in-process.ts'
import { createClient } from '../support/oauth.ts'
import { unique } from '../support/team.ts'
import type { Scenario, Surroundings } from './mutation-scenarios.ts'

const registration = {
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
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  idTokenSignedResponseAlg: 'ES256',
}

/** As the operator, on a client of its own. */
const onClient =
  (expected: Omit<Scenario, 'as'>) =>
  async ({ service: { database } }: Surroundings): Promise<Scenario> => {
    const { clientId } = await createClient(database)
    return { as: operator, variables: { id: clientId }, subject: clientId, ...expected }
  }

/** What makes each mutation of a client succeed once, and what its entry then says. */
export const clientScenarios: Record<string, { document: string; make(around: Surroundings): Promise<Scenario> | Scenario }> = {
  createClient: {
    document:
      'mutation ($id: ID!) { createClient(input: { clientId: $id, name: "App", confidential: true, redirectUris: ["https://app.example/cb"], grantTypes: ["authorization_code"], requiredScopes: ["openid"] }) { clientSecret } }',
    make() {
      const id = unique('new')
      const given = { name: 'App', redirectUris: ['https://app.example/cb'], grantTypes: ['authorization_code'], optionalScopes: [] }
      return { as: operator, variables: { id }, subject: id, after: { ...registration, ...given } }
    },
  },
  updateClient: {
    document: 'mutation ($id: ID!) { updateClient(input: { clientId: $id, name: "App", team: REQUIRED }) { client { name } } }',
    make: onClient({ before: { name: 'Example App', team: 'none' }, after: { name: 'App', team: 'required' } }),
  },
  rotateClientSecret: {
    document: 'mutation ($id: ID!) { rotateClientSecret(input: { clientId: $id, overlapSeconds: 60 }) { clientSecret } }',
    make: onClient({ after: { overlapSeconds: 60 } }),
  },
  disableClient: {
    document: 'mutation ($id: ID!) { disableClient(input: { clientId: $id }) { client { clientId } } }',
    make: onClient({ before: { disabled: false }, after: { disabled: true } }),
  },
  enableClient: {
    document: 'mutation ($id: ID!) { enableClient(input: { clientId: $id }) { client { clientId } } }',
    make: onClient({ before: { disabled: false }, after: { disabled: false } }),
  },
  deleteClient: {
    document: 'mutation ($id: ID!) { deleteClient(input: { clientId: $id }) { client { clientId } } }',
    make: onClient({ before: expect.objectContaining({ name: 'Example App', confidential: true }) }),
  },
}
