import { expect } from 'vitest'
import { sha256 } from '../../../../schema/core/sha256.ts'
import { createTokenValue } from '../../../../schema/tokens/token-value.ts'
import type { Scenarios, ScenarioContext } from './scenario.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Creates a token of the team, or a personal token of its member. */
async function createToken({ service, team, member }: ScenarioContext, kind: 'team' | 'personal') {
  const owner = kind === 'team' ? { teamId: team.id } : { userId: member.id }
  const data = { kind, ...owner, name: 'Old', scopes: ['teams'], expiresAt: new Date('2099-01-01'), hash: sha256(createTokenValue(kind)) }
  return service.database.prisma.accessToken.create({ data })
}

/** Scenarios of the mutations that change access tokens. */
export const tokenScenarios: Scenarios = {
  createTeamToken: {
    document: 'mutation ($team: String!) { createTeamToken(input: { team: $team, name: "CI", scopes: ["teams"] }) { value } }',
    prepare: ({ team, principal }) => ({
      principal,
      variables: { team: team.slug },
      teamId: team.id,
      after: { kind: 'team', name: 'CI', scopes: ['teams'], expiresAt: null },
    }),
  },
  createPersonalToken: {
    document: 'mutation ($at: DateTime!) { createPersonalToken(input: { name: "Laptop", scopes: ["teams"], expiresAt: $at }) { value } }',
    prepare: ({ principal }) => ({ principal, variables: { at: inDays(30) } }),
  },
  rotateToken: {
    document: 'mutation ($id: ID!) { rotateToken(input: { id: $id, overlapSeconds: 3600 }) { value } }',
    async prepare(context) {
      const { id } = await createToken(context, 'team')
      return {
        principal: context.principal,
        variables: { id },
        teamId: context.team.id,
        subject: id,
        after: { worksUntil: expect.any(String) },
      }
    },
  },
  updateToken: {
    document: 'mutation ($id: ID!) { updateToken(input: { id: $id, name: "New" }) { token { __typename } } }',
    async prepare(context) {
      const { id } = await createToken(context, 'team')
      const names = { before: { name: 'Old' }, after: { name: 'New' } }
      return { principal: context.principal, variables: { id }, teamId: context.team.id, subject: id, ...names }
    },
  },
  revokeToken: {
    document: 'mutation ($id: ID!) { revokeToken(input: { id: $id }) { token { __typename } } }',
    async prepare(context) {
      const { id } = await createToken(context, 'team')
      return { principal: context.principal, variables: { id }, teamId: context.team.id, subject: id }
    },
  },
  revokeTokenTeamAccess: {
    document:
      'mutation ($team: String!, $id: ID!) { revokeTokenTeamAccess(input: { team: $team, tokenId: $id }) { token { id: tokenId } } }',
    async prepare(context) {
      const { team, member, principal } = context
      const { id } = await createToken(context, 'personal')
      return { principal, variables: { team: team.slug, id }, teamId: team.id, subject: id, after: { userId: member.id, cut: team.slug } }
    },
  },
}
