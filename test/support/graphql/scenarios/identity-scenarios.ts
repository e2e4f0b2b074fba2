import { createIdentity, someConditions } from '../../identities/identity.ts'
import type { Scenario, ScenarioContext, Scenarios } from './scenario.ts'

const issuer = 'https://ci.example.com'
const scopes = ['acct:team:read']

async function ofIdentity({ service, team, principal }: ScenarioContext, rest: Partial<Scenario>): Promise<Scenario> {
  const id = await createIdentity(service, team, { name: 'CI', issuer, scopes })
  return { principal, teamId: team.id, subject: id, subjectName: 'CI', variables: { id }, ...rest }
}

/** Scenarios of the mutations that change workload identities. */
export const identityScenarios: Scenarios = {
  createWorkloadIdentity: {
    document: `mutation ($team: String!, $conditions: [ClaimConditionInput!]!) { createWorkloadIdentity(input: {
      team: $team, name: "CI", issuer: "${issuer}", conditions: $conditions, scopes: ["acct:team:read"] }) { identity { name } } }`,
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug, conditions: someConditions },
      teamId: team.id,
      subjectName: 'CI',
      after: { name: 'CI', issuer, conditions: [...someConditions], scopes },
    }),
  },
  updateWorkloadIdentity: {
    document:
      'mutation ($id: ID!) { updateWorkloadIdentity(input: { id: $id, name: "Deploys", scopes: ["teams"] }) { identity { name } } }',
    prepare: (context) =>
      ofIdentity(context, {
        subjectName: 'Deploys',
        before: { name: 'CI', scopes },
        after: { name: 'Deploys', scopes: ['teams'] },
      }),
  },
  deleteWorkloadIdentity: {
    document: 'mutation ($id: ID!) { deleteWorkloadIdentity(input: { id: $id }) { identity { name } } }',
    prepare: (context) => ofIdentity(context, { before: { name: 'CI', issuer, conditions: [...someConditions], scopes } }),
  },
}
