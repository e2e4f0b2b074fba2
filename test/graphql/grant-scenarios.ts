import { expect } from 'vitest'
import { createGrant } from '../support/oauth-rows.ts'
import type { Scenarios } from './mutation-scenarios.ts'

/** Of mutation-scenarios.ts, those about grants. */
export const grantScenarios: Scenarios = {
  revokeGrant: {
    document: 'mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grant { id } } }',
    async make({ service, team, owner, as }) {
      const { id, client } = await createGrant(service.database, owner, { team })
      const after = { userId: owner.id, clientId: client.clientId, revokedAt: expect.any(String) }
      return { as, variables: { id }, teamId: team.id, subject: id, after }
    },
  },
  cutTeamFromGrant: {
    document: 'mutation ($team: String!, $grantId: ID!) { cutTeamFromGrant(input: { team: $team, grantId: $grantId }) { grant { id } } }',
    async make({ service, team, member, as }) {
      const { id, client } = await createGrant(service.database, member)
      const after = { userId: member.id, clientId: client.clientId, cut: team.slug }
      return { as, variables: { team: team.slug, grantId: id }, teamId: team.id, subject: id, after }
    },
  },
  narrowGrant: {
    document: 'mutation ($id: ID!, $scopes: [String!]!) { narrowGrant(input: { id: $id, scopes: $scopes }) { grant { id } } }',
    async make({ service, team, owner, as }) {
      const { id, client, scopes } = await createGrant(service.database, owner, { team, scopes: ['openid', 'email', 'teams'] })
      const kept = ['openid', 'teams']
      const about = { userId: owner.id, clientId: client.clientId }
      return {
        as,
        variables: { id, scopes: kept },
        teamId: team.id,
        subject: id,
        before: { scopes, declinedScopes: [] },
        after: { ...about, scopes: kept, declinedScopes: ['email'] },
      }
    },
  },
}
