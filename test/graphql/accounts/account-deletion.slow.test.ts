import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { createInvitedGuest } from '../../support/data/invitation.ts'
import { lastSecret } from '../../support/mail/links.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../../support/data/team.ts'
import { repetitions } from '../../support/service/full.ts'

// Accounts that are deleted while their teams change: a team keeps an owner, and no request fails without cause.

const service = useService({ secretKey })
const { database } = service
const { prisma } = database

/** Creates a team with two owners, each with a personal token. */
async function createTeamWithTwoOwners() {
  const { team, owner: first, token: firstToken } = await createOwnedTeam(database)
  const second = await createUser(database)
  await join(database, team, second, 'owner')
  return { team, first, second, firstToken, secondToken: await personalToken(database, second) }
}
type TeamWithTwoOwners = Awaited<ReturnType<typeof createTeamWithTwoOwners>>

const executeForUser = async ({ email }: { email: string }, mutation = 'deleteUser') => {
  const document = `mutation ($email: String!) { ${mutation}(input: { email: $email }) { user { id: userId } } }`
  return (await executeAs(service, operator, document, { email })).refusal?.code ?? 'done'
}
const executeMutation = async (token: string, mutation: string) =>
  (await mutate(service, token, `mutation { ${mutation} }`)).refusal?.code ?? 'done'
const demote = ({ team }: TeamWithTwoOwners, token: string, { id }: { id: string }) =>
  executeMutation(token, `updateMember(input: { team: "${team.slug}", userId: "${id}", role: MEMBER }) { member { id: userId } }`)
const removeMember = ({ team }: TeamWithTwoOwners, token: string, { id }: { id: string }) =>
  executeMutation(token, `removeMember(input: { team: "${team.slug}", userId: "${id}" }) { member { id: userId } }`)
const countOwners = ({ team }: TeamWithTwoOwners) => prisma.member.count({ where: { teamId: team.id, role: 'owner' } })

const ownerRounds = repetitions({ short: 10, full: 50 })
const accountRounds = repetitions({ short: 5, full: 20 })

describe('deleting one of two owners, repeatedly', { timeout: 60_000 }, () => {
  test.each([
    ['demotes', demote],
    ['removes', removeMember],
  ])('leaves one owner if that owner concurrently %s the other', async (_, change) => {
    for (let round = 0; round < ownerRounds; round++) {
      const fixture = await createTeamWithTwoOwners()
      const outcomes = await Promise.all([executeForUser(fixture.first), change(fixture, fixture.firstToken, fixture.second)])
      // A user who is deleted before the credential is read is unauthenticated.
      expect([
        ['done', 'last_owner'],
        ['done', 'unauthenticated'],
        ['last_owner', 'done'],
      ]).toContainEqual(outcomes)
      expect(await countOwners(fixture)).toBe(1)
    }
  })

  test('leaves one owner if both are deleted concurrently', async () => {
    for (let round = 0; round < ownerRounds; round++) {
      const fixture = await createTeamWithTwoOwners()
      const outcomes = await Promise.all([executeForUser(fixture.first), executeForUser(fixture.second)])
      expect(outcomes.toSorted()).toEqual(['done', 'last_owner'])
      expect(await countOwners(fixture)).toBe(1)
    }
  })

  test.each([
    ['demoted', demote],
    ['removed', removeMember],
  ])('succeeds if the owner is concurrently %s by the other', async (_, change) => {
    for (let round = 0; round < ownerRounds; round++) {
      const fixture = await createTeamWithTwoOwners()
      const [deletion, changeCode] = await Promise.all([executeForUser(fixture.first), change(fixture, fixture.secondToken, fixture.first)])
      expect([deletion, ['done', 'not_found'].includes(changeCode)]).toEqual(['done', true])
      expect(await countOwners(fixture)).toBe(1)
    }
  })
})

describe('deleting an account, repeatedly', { timeout: 60_000 }, () => {
  test.each([
    ['the user creates a team', 'unauthenticated', (user: User) => sessionOf(service, user), () => null],
    ['the operator creates a team for the user', 'validation_failed', () => operator, ({ email }: User) => email],
  ] as const)(
    'either succeeds or makes the user the owner of the team if %s concurrently',
    async (_, deletedCode, createPrincipal, owner) => {
      const create = 'mutation ($input: CreateTeamInput!) { createTeam(input: $input) { team { id } } }'
      for (let round = 0; round < accountRounds; round++) {
        const user = await createUser(database)
        const slug = unique('new')
        const [principal, input] = [await createPrincipal(user), { slug, name: 'New', owner: owner(user) }]
        const [deletion, creation] = await Promise.all([executeForUser(user), executeAs(service, principal, create, { input })])
        expect([
          ['done', deletedCode],
          ['last_owner', 'done'],
        ]).toContainEqual([deletion, creation.refusal?.code ?? 'done'])
        const teams = await prisma.team.findMany({ where: { slug }, select: { members: { select: { userId: true, role: true } } } })
        expect(teams).toEqual(deletion === 'done' ? [] : [{ members: [{ userId: user.id, role: 'owner' }] }])
      }
    },
  )

  test.each(['owner', 'member'])('succeeds if the user concurrently accepts an invitation with the role %s', async (role) => {
    for (let round = 0; round < accountRounds; round++) {
      const { guest, guestToken, invitation, team } = await createInvitedGuest(service, { role })
      const token = lastSecret(service, invitation.id)
      const [deletion, joining] = await Promise.all([
        executeForUser(guest),
        executeMutation(guestToken, `acceptInvitation(input: { token: "${token}" }) { invitation { id: invitationId } }`),
      ])
      // The team has another owner, so the deletion never fails.
      expect([deletion, joining]).toEqual(['done', expect.stringMatching(/^(done|unauthenticated)$/)])
      expect(await prisma.member.count({ where: { teamId: team.id, role: 'owner' } })).toBe(1)
      expect(await prisma.member.count({ where: { userId: guest.id } })).toBe(0)
    }
  })
})

test('deleteUser deletes memberships and personal tokens and keeps team tokens', async () => {
  const fixture = await createTeamWithTwoOwners()
  const { first, team } = fixture
  await teamToken(database, team)
  await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { createdById: first.id } })
  expect(await executeForUser(first)).toBe('done')
  expect((await graphql(service, fixture.firstToken, '{ viewer { id: userId } }')).status).toBe(401)
  expect(await prisma.member.count({ where: { userId: first.id } })).toBe(0)
  expect(await prisma.accessToken.findMany({ where: { teamId: team.id }, select: { createdById: true } })).toEqual([{ createdById: null }])
})

test('deleteUser succeeds once and causes no internal error with concurrent deleteUser, disableUser and enableUser', async () => {
  for (let round = 0; round < 10; round++) {
    const user = await createUser(database)
    const deletions = await Promise.all(
      Array.from({ length: 4 }, () => executeForUser(user)).concat(executeForUser(user, 'disableUser'), executeForUser(user, 'enableUser')),
    )
    expect(deletions.slice(0, 4).toSorted()).toEqual(['done', 'validation_failed', 'validation_failed', 'validation_failed'])
    for (const other of deletions.slice(4)) expect(['done', 'validation_failed']).toContain(other)
  }
})
