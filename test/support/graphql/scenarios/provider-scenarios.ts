import { createDomain } from '../../domains/domain.ts'
import { createIssuer } from '../../identity-providers/issuer.ts'
import { seededSecret, seedProvider } from '../../identity-providers/seed-provider.ts'
import { createClient } from '../../oauth/oauth.ts'
import { operator } from '../../service/in-process.ts'
import type { Scenario, ScenarioContext, Scenarios } from './scenario.ts'

const seeded = { kind: 'oidc', name: 'Acme', issuer: 'https://idp.example.com', clientId: 'client-1', groupsClaim: null, jitRole: null }

async function ofProvider({ service, team, principal }: ScenarioContext, rest: Partial<Scenario>): Promise<Scenario> {
  const disabledAt = rest.after && 'isDisabled' in rest.after && !rest.after.isDisabled ? service.clock.now() : null
  const id = await seedProvider(service, team, { disabledAt })
  return { principal, teamId: team.id, subject: id, subjectName: 'Acme', variables: { id }, secret: seededSecret, ...rest }
}

const byId = (name: string) => `mutation ($id: ID!) { ${name}(input: { id: $id }) { identityProvider { name } } }`

/** Scenarios of the mutations that change identity providers. */
export const providerScenarios: Scenarios = {
  createIdentityProvider: {
    document: `mutation ($team: String!, $issuer: String!) { createIdentityProvider(input: { team: $team, kind: OIDC, name: "Acme",
      issuer: $issuer, clientId: "client-1", clientSecret: "${seededSecret}", jitRole: MEMBER }) { identityProvider { name } } }`,
    async prepare({ team, principal }) {
      const issuer = await createIssuer()
      const rest = { secret: seededSecret, after: { ...seeded, issuer, jitRole: 'member' } }
      return { principal, variables: { team: team.slug, issuer }, teamId: team.id, subjectName: 'Acme', ...rest }
    },
  },
  updateIdentityProvider: {
    document:
      'mutation ($id: ID!) { updateIdentityProvider(input: { id: $id, name: "Okta", groupsClaim: "groups" }) { identityProvider { name } } }',
    prepare: (context) =>
      ofProvider(context, {
        subjectName: 'Okta',
        before: { name: 'Acme', groupsClaim: null },
        after: { name: 'Okta', groupsClaim: 'groups' },
      }),
  },
  deleteIdentityProvider: {
    document: byId('deleteIdentityProvider'),
    prepare: (context) => ofProvider(context, { before: seeded }),
  },
  setAgentAssertions: {
    document: `mutation ($team: String!, $id: ID!, $clientId: String!) { setAgentAssertions(input: { team: $team, providerId: $id,
      clientIds: [$clientId], scopes: ["acct:team:read"], enabled: true }) { identityProvider { name } } }`,
    async prepare(context) {
      await createDomain(context.service.database, context.team)
      const { clientId } = await createClient(context.service.database)
      const scenario = await ofProvider(context, {
        before: { agentsEnabled: false, agentClientIds: [], agentScopes: [] },
        after: { agentsEnabled: true, agentClientIds: [clientId], agentScopes: ['acct:team:read'] },
      })
      return { ...scenario, variables: { ...scenario.variables, team: context.team.slug, clientId } }
    },
  },
  disableIdentityProvider: {
    document: byId('disableIdentityProvider'),
    prepare: (context) => ofProvider(context, { principal: operator, before: { isDisabled: false }, after: { isDisabled: true } }),
  },
  enableIdentityProvider: {
    document: byId('enableIdentityProvider'),
    prepare: (context) => ofProvider(context, { principal: operator, before: { isDisabled: true }, after: { isDisabled: false } }),
  },
}
