import { expect } from 'vitest'
import { createTokenValue, sha256 } from '../../schema/secret.ts'
import type { Scenarios, Surroundings } from './mutation-scenarios.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** A token of the team, or a personal one of its member. */
async function token({ service, team, member }: Surroundings, kind: 'team' | 'personal') {
  const whose = kind === 'team' ? { teamId: team.id } : { userId: member.id }
  const data = { kind, ...whose, name: 'Old', scopes: ['teams'], expiresAt: new Date('2099-01-01'), hash: sha256(createTokenValue(kind)) }
  return service.database.prisma.accessToken.create({ data })
}

/** What makes each mutation of tokens succeed once. */
export const tokenScenarios: Scenarios = {
  createTeamToken: {
    document: 'mutation ($team: String!) { createTeamToken(input: { team: $team, name: "CI", scopes: ["teams"] }) { value } }',
    make: ({ team, as }) => ({
      as,
      variables: { team: team.slug },
      teamId: team.id,
      after: { kind: 'team', name: 'CI', scopes: ['teams'], expiresAt: null },
    }),
  },
  createPersonalToken: {
    document: 'mutation ($at: DateTime!) { createPersonalToken(input: { name: "Laptop", scopes: ["teams"], expiresAt: $at }) { value } }',
    make: ({ as }) => ({ as, variables: { at: inDays(30) } }),
  },
  rotateToken: {
    document: 'mutation ($id: ID!) { rotateToken(input: { id: $id, overlapSeconds: 3600 }) { value } }',
    async make(around) {
      const { id } = await token(around, 'team')
      return { as: around.as, variables: { id }, teamId: around.team.id, before: { id, worksUntil: expect.any(String) } }
    },
  },
  revokeToken: {
    document: 'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { __typename } } }',
    async make(around) {
      const { id } = await token(around, 'team')
      return { as: around.as, variables: { id }, teamId: around.team.id, subject: id }
    },
  },
  cutTeamFromToken: {
    document: 'mutation ($team: String!, $id: ID!) { cutTeamFromToken(input: { team: $team, tokenId: $id }) { token { id } } }',
    async make(around) {
      const { team, member, as } = around
      const { id } = await token(around, 'personal')
      return { as, variables: { team: team.slug, id }, teamId: team.id, subject: id, after: { userId: member.id, cut: team.slug } }
    },
  },
}
