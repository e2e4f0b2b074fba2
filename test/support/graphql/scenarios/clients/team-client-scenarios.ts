import { expect } from 'vitest'
import type { ClientState } from '../../../../../prisma/generated/client/enums.ts'
import { unique } from '../../../data/team.ts'
import { operator } from '../../../service/in-process.ts'
import { createClient } from '../../../oauth/oauth.ts'
import { registration } from './client-scenarios.ts'
import type { Scenario, ScenarioContext, Scenarios } from '../scenario.ts'

/** Prepares a mutation by an owner on a new client of the team. */
const onTeamClient =
  (expected: (name: string) => Partial<Scenario>, state: ClientState = 'draft') =>
  async ({ service: { database }, team, principal }: ScenarioContext): Promise<Scenario> => {
    const { clientId, name } = await createClient(database, {
      ownerTeamId: team.id,
      state,
      name: unique('Planner'),
      grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    })
    return { principal, teamId: team.id, variables: { id: clientId }, subject: clientId, subjectName: name, ...expected(name) }
  }

/** Scenarios of the mutations that change the OAuth clients of teams. */
export const teamClientScenarios: Scenarios = {
  createTeamClient: {
    document:
      'mutation ($team: String!) { createTeamClient(input: { team: $team, name: "Own", confidential: true, redirectUris: ["https://app.example/cb"], grantTypes: ["authorization_code"], requiredScopes: ["openid"] }) { clientSecret } }',
    prepare({ team, principal }) {
      const input = { name: 'Own', redirectUris: ['https://app.example/cb'], grantTypes: ['authorization_code'], optionalScopes: [] }
      const after = { ...registration, ...input, state: 'draft' }
      return { principal, variables: { team: team.slug }, teamId: team.id, subjectName: 'Own', after }
    },
  },
  updateTeamClient: {
    document: 'mutation ($id: ID!) { updateTeamClient(input: { clientId: $id, name: "Other", teamMode: REQUIRED }) { client { name } } }',
    prepare: onTeamClient((name) => ({ before: { name, team: 'none' }, after: { name: 'Other', team: 'required' } })),
  },
  submitTeamClient: {
    document: 'mutation ($id: ID!) { submitTeamClient(input: { clientId: $id }) { client { state } } }',
    prepare: onTeamClient(() => ({ before: { state: 'draft' }, after: { state: 'submitted' } })),
  },
  rotateTeamClientSecret: {
    document: 'mutation ($id: ID!) { rotateTeamClientSecret(input: { clientId: $id, overlapSeconds: 60 }) { clientSecret } }',
    prepare: onTeamClient(() => ({ after: { overlapSeconds: 60 } })),
  },
  revokeClientAccess: {
    document: 'mutation ($id: ID!) { revokeClientAccess(input: { clientId: $id }) { client { grantTypes } } }',
    prepare: onTeamClient(() => ({
      before: { grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'] },
      after: { grantTypes: ['authorization_code', 'refresh_token'] },
    })),
  },
  deleteTeamClient: {
    document: 'mutation ($id: ID!) { deleteTeamClient(input: { clientId: $id }) { client { clientId } } }',
    prepare: onTeamClient((name) => ({ before: expect.objectContaining({ name, confidential: true }) })),
  },
  approveClient: {
    document: 'mutation ($id: ID!) { approveClient(input: { clientId: $id }) { client { state } } }',
    prepare: onTeamClient(() => ({ principal: operator, before: { state: 'submitted' }, after: { state: 'listed' } }), 'submitted'),
  },
  rejectClient: {
    document: 'mutation ($id: ID!) { rejectClient(input: { clientId: $id, reason: "No" }) { client { state } } }',
    prepare: onTeamClient(
      () => ({
        principal: operator,
        before: { state: 'submitted', rejectionReason: null },
        after: { state: 'rejected', rejectionReason: 'No' },
      }),
      'submitted',
    ),
  },
}
