import { expect } from 'vitest'
import type { ClientState } from '../../../../prisma/generated/client/enums.ts'
import { createClient } from '../../oauth/oauth.ts'
import { registration } from './client-scenarios.ts'
import type { Scenario, ScenarioContext, Scenarios } from './scenario.ts'

/** Prepares a mutation by an owner on a new client of the team. */
const onTeamClient =
  (expected: Partial<Scenario>, state: ClientState = 'draft') =>
  async ({ service: { database }, team, principal }: ScenarioContext): Promise<Scenario> => {
    const { clientId, name } = await createClient(database, { ownerTeamId: team.id, state })
    return { principal, teamId: team.id, variables: { id: clientId }, subject: clientId, subjectName: name, ...expected }
  }

/** Scenarios of the mutations that change the OAuth clients of teams. */
export const teamClientScenarios: Scenarios = {
  createTeamClient: {
    document:
      'mutation ($team: String!) { createTeamClient(input: { team: $team, name: "App", confidential: true, redirectUris: ["https://app.example/cb"], grantTypes: ["authorization_code"], requiredScopes: ["openid"] }) { clientSecret } }',
    prepare({ team, principal }) {
      const input = { name: 'App', redirectUris: ['https://app.example/cb'], grantTypes: ['authorization_code'], optionalScopes: [] }
      const after = { ...registration, ...input, state: 'draft' }
      return { principal, variables: { team: team.slug }, teamId: team.id, subjectName: 'App', after }
    },
  },
  updateTeamClient: {
    document: 'mutation ($id: ID!) { updateTeamClient(input: { clientId: $id, name: "App", teamMode: REQUIRED }) { client { name } } }',
    prepare: onTeamClient({ before: { name: 'Example App', team: 'none' }, after: { name: 'App', team: 'required' } }),
  },
  submitTeamClient: {
    document: 'mutation ($id: ID!) { submitTeamClient(input: { clientId: $id }) { client { state } } }',
    prepare: onTeamClient({ before: { state: 'draft' }, after: { state: 'submitted' } }),
  },
  rotateTeamClientSecret: {
    document: 'mutation ($id: ID!) { rotateTeamClientSecret(input: { clientId: $id, overlapSeconds: 60 }) { clientSecret } }',
    prepare: onTeamClient({ after: { overlapSeconds: 60 } }),
  },
  deleteTeamClient: {
    document: 'mutation ($id: ID!) { deleteTeamClient(input: { clientId: $id }) { client { clientId } } }',
    prepare: onTeamClient({ before: expect.objectContaining({ name: 'Example App', confidential: true }) }),
  },
}
