import { expect } from 'vitest'
import { createGrant } from '../../../oauth/oauth-rows.ts'
import type { Scenarios } from '../scenario.ts'

/** Scenarios of the mutations that change OAuth grants. */
export const grantScenarios: Scenarios = {
  revokeGrant: {
    document: 'mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grant { id: grantId } } }',
    async prepare({ service, team, owner, principal }) {
      const { id, client } = await createGrant(service.database, owner, { team })
      const after = { userId: owner.id, clientId: client.clientId, revokedAt: expect.any(String) }
      return { principal, variables: { id }, teamId: team.id, subject: id, after }
    },
  },
  revokeGrantTeamAccess: {
    document:
      'mutation ($team: String!, $grantId: ID!) { revokeGrantTeamAccess(input: { team: $team, grantId: $grantId }) { grant { id: grantId } } }',
    async prepare({ service, team, member, principal }) {
      const { id, client } = await createGrant(service.database, member)
      const after = { userId: member.id, clientId: client.clientId, cut: team.slug }
      return { principal, variables: { team: team.slug, grantId: id }, teamId: team.id, subject: id, after }
    },
  },
  reduceGrantScopes: {
    document:
      'mutation ($id: ID!, $scopes: [String!]!) { reduceGrantScopes(input: { id: $id, scopes: $scopes }) { grant { id: grantId } } }',
    async prepare({ service, team, owner, principal }) {
      const { id, client, scopes } = await createGrant(service.database, owner, { team, scopes: ['openid', 'email', 'teams'] })
      const remaining = ['openid', 'teams']
      const identity = { userId: owner.id, clientId: client.clientId }
      return {
        principal,
        variables: { id, scopes: remaining },
        teamId: team.id,
        subject: id,
        before: { scopes, declinedScopes: [] },
        after: { ...identity, scopes: remaining, declinedScopes: ['email'] },
      }
    },
  },
}
