import { expect } from 'vitest'
import { createInitialAccess } from '../../../agents/initial-access.ts'
import type { Scenarios } from '../scenario.ts'

/** Scenarios of the mutations that change initial access tokens. */
export const initialAccessScenarios: Scenarios = {
  createInitialAccessToken: {
    document: 'mutation ($team: String!) { createInitialAccessToken(input: { team: $team }) { value } }',
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug },
      teamId: team.id,
      subjectName: expect.stringMatching(/^iat_….{4}$/),
      after: { expiresAt: expect.any(String) },
    }),
  },
  deleteInitialAccessToken: {
    document: 'mutation ($id: ID!) { deleteInitialAccessToken(input: { id: $id }) { token { hint } } }',
    async prepare({ service, team, principal }) {
      const { id, hint } = await createInitialAccess(service.database, team)
      return { principal, variables: { id }, teamId: team.id, subject: id, subjectName: hint, before: { expiresAt: expect.any(String) } }
    },
  },
}
