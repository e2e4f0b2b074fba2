import { describe, expect, test } from 'vitest'
import { mutate } from '../../support/http/mutate.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken } from '../../support/data/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

describe('the last owner of a team', () => {
  const demote = (slug: string, userId: string) =>
    `mutation { updateMember(input: { team: "${slug}", userId: "${userId}", role: MEMBER }) { member { id: userId } } }`
  const remove = (slug: string, userId: string) =>
    `mutation { removeMember(input: { team: "${slug}", userId: "${userId}" }) { member { id: userId } } }`

  test.each([
    ['demote each other', demote, demote],
    ['remove each other', remove, remove],
    ['demote and remove each other', demote, remove],
  ])('remains when two owners %s concurrently, in 50 rounds', { timeout: 60_000 }, async (_, first, second) => {
    for (let round = 0; round < 50; round++) {
      const { team, owner, token } = await createOwnedTeam(database)
      const other = await createUser(database)
      await join(database, team, other, 'owner')
      const otherToken = await personalToken(database, other)
      const responses = await Promise.all([
        mutate(service, token, first(team.slug, other.id)),
        mutate(service, otherToken, second(team.slug, owner.id)),
      ])
      const codes = responses.map(({ refusal }) => refusal?.code ?? 'done').toSorted()
      // The second request is rejected as the last owner. If it authenticates after the first, its role or team is gone.
      expect(codes[0]).toBe('done')
      expect(['last_owner', 'role_required', 'team_forbidden']).toContain(codes[1])
      expect(await prisma.member.count({ where: { teamId: team.id, role: 'owner' } })).toBe(1)
    }
  })

  test('cannot be deleted as a user until the team has another owner', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const document = 'mutation ($email: String!) { deleteUser(input: { email: $email }) { user { id: userId } } }'
    expect((await executeAs(service, operator, document, { email: owner.email })).refusal?.code).toBe('last_owner')
    await join(database, team, await createUser(database), 'owner')
    expect((await executeAs(service, operator, document, { email: owner.email })).refusal).toBeNull()
    expect(await prisma.user.count({ where: { id: owner.id } })).toBe(0)
  })
})

test('createTeam and createUser reject a slug or email address that is taken, also in concurrent requests', async () => {
  const { slug } = await createTeam(database)
  const { email } = await createUser(database)
  const createTeamOf = 'mutation ($slug: String!) { createTeam(input: { slug: $slug, name: "T" }) { team { slug } } }'
  const createUserOf = 'mutation ($email: String!) { createUser(input: { email: $email, name: "N" }) { user { id: userId } } }'
  expect((await executeAs(service, operator, createTeamOf, { slug })).refusal?.details.errors).toEqual({
    slug: ['The slug has already been taken.'],
  })
  expect((await executeAs(service, operator, createUserOf, { email: ` ${email.toUpperCase()}` })).refusal?.details.errors).toEqual({
    email: ['The email has already been taken.'],
  })
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => executeAs(service, operator, createTeamOf, { slug: `${slug}-2` })))
  expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
})
