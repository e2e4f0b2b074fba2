import { describe, expect, test } from 'vitest'
import type { User } from '../../prisma/generated/client/client.ts'
import { graphql } from '../support/graphql.ts'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { invitedGuest } from '../support/invitation.ts'
import { lastSecret } from '../support/links.ts'
import { secretKey } from '../support/pace.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../support/team.ts'

// An account is deleted while its teams change: a team keeps an owner, and nobody is refused without cause.

const service = await startService({ secretKey })
const { database } = service
const { prisma } = database

/** A team of two owners, each with a token. */
async function twoOwners() {
  const { team, owner: first, token: ofFirst } = await createOwnedTeam(database)
  const second = await createUser(database)
  await join(database, team, second, 'owner')
  return { team, first, second, ofFirst, ofSecond: await personalToken(database, second) }
}
type Given = Awaited<ReturnType<typeof twoOwners>>

const remove = async ({ email }: { email: string }, mutation = 'deleteUser') => {
  const document = `mutation ($email: String!) { ${mutation}(input: { email: $email }) { user { id } } }`
  return (await executeAs(service, operator, document, { email })).refusal?.code ?? 'done'
}
const over = async (token: string, mutation: string) =>
  (await graphql(service, token, `mutation { ${mutation} }`)).errors[0]?.extensions?.code ?? 'done'
const demote = ({ team }: Given, token: string, { id }: { id: string }) =>
  over(token, `updateMember(input: { team: "${team.slug}", userId: "${id}", role: MEMBER }) { member { id } }`)
const dismiss = ({ team }: Given, token: string, { id }: { id: string }) =>
  over(token, `removeMember(input: { team: "${team.slug}", userId: "${id}" }) { member { id } }`)
const ownersOf = ({ team }: Given) => prisma.member.count({ where: { teamId: team.id, role: 'owner' } })

describe('one owner deleted, at the same instant, 50 times', { timeout: 60_000 }, () => {
  test.each([
    ['demoting', demote],
    ['removing', dismiss],
  ])('while %s the other: one succeeds, one owner stays', async (_, change) => {
    for (let round = 0; round < 50; round++) {
      const given = await twoOwners()
      const outcomes = await Promise.all([remove(given.first), change(given, given.ofFirst, given.second)])
      // Who is deleted before its credential was read is nobody.
      expect([
        ['done', 'last_owner'],
        ['done', 'unauthenticated'],
        ['last_owner', 'done'],
      ]).toContainEqual(outcomes)
      expect(await ownersOf(given)).toBe(1)
    }
  })

  test('while the other is deleted: one succeeds, one owner stays', async () => {
    for (let round = 0; round < 50; round++) {
      const given = await twoOwners()
      const outcomes = await Promise.all([remove(given.first), remove(given.second)])
      expect(outcomes.toSorted()).toEqual(['done', 'last_owner'])
      expect(await ownersOf(given)).toBe(1)
    }
  })

  test.each([
    ['demoted', demote],
    ['removed', dismiss],
  ])('while itself %s by the other: it is gone, and the deletion not refused', async (_, change) => {
    for (let round = 0; round < 50; round++) {
      const given = await twoOwners()
      const [deletion, change_] = await Promise.all([remove(given.first), change(given, given.ofSecond, given.first)])
      expect([deletion, ['done', 'not_found'].includes(change_)]).toEqual(['done', true])
      expect(await ownersOf(given)).toBe(1)
    }
  })
})

describe('an account deleted, at the same instant, 20 times', { timeout: 60_000 }, () => {
  test.each([
    ['it creates a team', 'unauthenticated', (user: User) => sessionOf(service, user), () => null],
    ['an operator creates a team of its', 'validation_failed', () => operator, ({ email }: User) => email],
  ] as const)('while %s: it is gone before, or the owner of a team that has one', async (_, gone, asking, owner) => {
    const create = 'mutation ($input: CreateTeamInput!) { createTeam(input: $input) { team { id } } }'
    for (let round = 0; round < 20; round++) {
      const person = await createUser(database)
      const slug = unique('new')
      const [as, input] = [await asking(person), { slug, name: 'New', owner: owner(person) }]
      const [deletion, creation] = await Promise.all([remove(person), executeAs(service, as, create, { input })])
      expect([
        ['done', gone],
        ['last_owner', 'done'],
      ]).toContainEqual([deletion, creation.refusal?.code ?? 'done'])
      const teams = await prisma.team.findMany({ where: { slug }, select: { members: { select: { userId: true, role: true } } } })
      expect(teams).toEqual(deletion === 'done' ? [] : [{ members: [{ userId: person.id, role: 'owner' }] }])
    }
  })

  test.each(['owner', 'member'])('while it becomes %s of a team by an invitation: it is in the team, or nowhere', async (role) => {
    for (let round = 0; round < 20; round++) {
      const { guest, guestToken, invitation, team } = await invitedGuest(service, { role })
      const token = lastSecret(service, invitation.id)
      const [deletion, joining] = await Promise.all([
        remove(guest),
        over(guestToken, `acceptInvitation(input: { token: "${token}" }) { invitation { id } }`),
      ])
      // There is another owner who can let it go: deleting is never refused.
      expect([deletion, joining]).toEqual(['done', expect.stringMatching(/^(done|unauthenticated)$/)])
      expect(await prisma.member.count({ where: { teamId: team.id, role: 'owner' } })).toBe(1)
      expect(await prisma.member.count({ where: { userId: guest.id } })).toBe(0)
    }
  })
})

test('an account deleted takes its memberships and personal tokens along, and leaves the team’s', async () => {
  const given = await twoOwners()
  const { first, team } = given
  await teamToken(database, team)
  await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { createdById: first.id } })
  expect(await remove(first)).toBe('done')
  expect((await graphql(service, given.ofFirst, '{ viewer { id } }')).status).toBe(401)
  expect(await prisma.member.count({ where: { userId: first.id } })).toBe(0)
  expect(await prisma.accessToken.findMany({ where: { teamId: team.id }, select: { createdById: true } })).toEqual([{ createdById: null }])
})

test('many deletions, and disabling and enabling amid them, are one deletion and no fault', async () => {
  for (let round = 0; round < 10; round++) {
    const person = await createUser(database)
    const deletions = await Promise.all(
      Array.from({ length: 4 }, () => remove(person)).concat(remove(person, 'disableUser'), remove(person, 'enableUser')),
    )
    expect(deletions.slice(0, 4).toSorted()).toEqual(['done', 'validation_failed', 'validation_failed', 'validation_failed'])
    for (const other of deletions.slice(4)) expect(['done', 'validation_failed']).toContain(other)
  }
})
