import { describe, expect, test } from 'vitest'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database
const remove = `mutation ($team: String!, $confirmSlug: String!) {
  deleteTeam(input: { team: $team, confirmSlug: $confirmSlug }) { team { slug name deletedAt restorableUntil } }
}`
const restore = 'mutation ($team: String!, $owner: String) { restoreTeam(input: { team: $team, owner: $owner }) { team { slug name } } }'
const listDeleted = '{ deletedTeams { slug } }'
const day = 86_400_000

const deleteAs = (session: Parameters<typeof executeAs>[1], slug: string) =>
  executeAs(service, session, remove, { team: slug, confirmSlug: slug })
const restoreTeam = (team: string, owner?: string) => executeAs(service, operator, restore, { team, owner })
const noSuchTeam = { team: ['There is no deleted team with this slug that can be restored.'] }

describe('deleteTeam', () => {
  test('returns until when the team can be restored, and queues a mail to every owner and to no other member', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const [second, member] = [await createUser(database), await createUser(database)]
    await join(database, team, second, 'owner')
    await join(database, team, member, 'member')
    mails.length = 0
    const { data, refusal } = await deleteAs(await sessionOf(service, second), team.slug)
    expect(refusal).toBeNull()
    const { deletedAt } = await prisma.team.findUniqueOrThrow({ where: { id: team.id } })
    const at = deletedAt?.getTime() ?? 0
    expect(data.deleteTeam.team).toEqual({
      slug: team.slug,
      name: 'Acme',
      deletedAt: new Date(at).toISOString(),
      restorableUntil: new Date(at + 14 * day).toISOString(),
    })
    const until = new Date(at + 14 * day).toISOString()
    const mail = { kind: 'team-deleted', teamId: team.id, actor: second.name, at: new Date(at).toISOString(), until }
    expect(mails).toEqual([
      { ...mail, recipient: owner.email },
      { ...mail, recipient: second.email, actor: null },
    ])
  })

  test('deletes the team once when two owners execute it at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const { team, owner } = await createOwnedTeam(database)
      const other = await createUser(database)
      await join(database, team, other, 'owner')
      const sessions = await Promise.all([sessionOf(service, owner), sessionOf(service, other)])
      mails.length = 0
      const outcomes = await Promise.all(sessions.map((session) => deleteAs(session, team.slug)))
      expect(outcomes.map(({ refusal }) => refusal?.code ?? 'done').toSorted()).toEqual(['done', 'team_forbidden'])
      expect(await prisma.auditEntry.count({ where: { teamId: team.id, action: 'deleteTeam' } })).toBe(1)
      expect(mails).toHaveLength(2)
    }
  })

  // These sessions were read before the deletion, like those of requests that are in progress during it.
  test.each([
    ['updateTeam', '{ updateTeam(input: { team: $team, name: "New" }) { team { name } } }'],
    [
      'inviteMember',
      '{ inviteMember(input: { team: $team, email: "new@example.test", role: MEMBER }) { invitation { id: invitationId } } }',
    ],
    ['updateMember', '{ updateMember(input: { team: $team, userId: $member, role: BILLING }) { member { id: userId } } }'],
    ['removeMember', '{ removeMember(input: { team: $team, userId: $member }) { member { id: userId } } }'],
    ['createTeamToken', '{ createTeamToken(input: { team: $team, name: "New", scopes: ["teams"] }) { value } }'],
    ['updateToken', '{ updateToken(input: { id: $token, name: "x" }) { token { __typename } } }'],
    ['rotateToken', '{ rotateToken(input: { id: $token }) { value } }'],
    ['deleteTeam', '{ deleteTeam(input: { team: $team, confirmSlug: $team }) { team { slug } } }'],
  ])('makes %s of a request in progress fail and write nothing', async (_, mutation) => {
    const { team, owner } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member')
    await teamToken(database, team)
    const { id: token } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    const session = await sessionOf(service, owner)
    await deleteAs(session, team.slug)
    const rows = () =>
      prisma.team.findUniqueOrThrow({ where: { id: team.id }, include: { members: true, tokens: true, invitations: true } })
    const before = await rows()
    const variables = { team: team.slug, member: member.id, token }
    const declared = ['$team: String!', '$member: ID!', '$token: ID!'].filter((each) => mutation.includes(each.split(':')[0] ?? ''))
    const { refusal } = await executeAs(service, session, `mutation (${declared.join(', ')}) ${mutation}`, variables)
    expect(refusal?.code).toBe('team_forbidden')
    expect(await rows()).toEqual(before)
    expect(await prisma.auditEntry.count({ where: { teamId: team.id } })).toBe(1)
  })

  test('keeps the slug reserved', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const session = await sessionOf(service, owner)
    await deleteAs(session, team.slug)
    const create = 'mutation ($slug: String!) { createTeam(input: { slug: $slug, name: "New" }) { team { slug } } }'
    for (const principal of [session, operator])
      expect((await executeAs(service, principal, create, { slug: team.slug })).refusal?.details.errors).toEqual({
        slug: ['The slug has already been taken.'],
      })
  })
})

describe('restoreTeam', () => {
  test('brings back members, tokens and grants as they were', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const member = await createUser(database)
    await join(database, team, member, 'member', ['flow'])
    const tokens = [token, await personalToken(database, member), await teamToken(database, team)]
    const read = () =>
      Promise.all(tokens.map(async (each) => (await request(service, 'GET', `/api/v1/teams/${team.slug}/members`, { token: each })).body))
    const before = await read()
    await deleteAs(await sessionOf(service, owner), team.slug)
    const forbidden = { code: 'team_forbidden' }
    expect(await read()).toMatchObject([forbidden, forbidden, { code: 'unauthenticated' }])
    expect((await executeAs(service, operator, listDeleted)).data.deletedTeams).toContainEqual({ slug: team.slug })
    clock.advance(13 * day)
    const { data, refusal } = await restoreTeam(team.slug)
    expect([refusal, data.restoreTeam.team]).toEqual([null, { slug: team.slug, name: 'Acme' }])
    expect(await read()).toEqual(before)
    expect((await executeAs(service, operator, listDeleted)).data.deletedTeams).not.toContainEqual({ slug: team.slug })
    expect((await restoreTeam(team.slug)).refusal?.details.errors).toEqual(noSuchTeam)
  })

  test('rejects unknown teams, teams that are not deleted, and teams that were deleted 14 days ago', async () => {
    const { team, owner } = await createOwnedTeam(database)
    for (const slug of ['no-such-team', 'A b', team.slug]) expect((await restoreTeam(slug)).refusal?.details.errors).toEqual(noSuchTeam)
    await deleteAs(await sessionOf(service, owner), team.slug)
    clock.advance(14 * day)
    expect((await restoreTeam(team.slug)).refusal?.details.errors).toEqual(noSuchTeam)
    expect((await executeAs(service, operator, listDeleted)).data.deletedTeams).not.toContainEqual({ slug: team.slug })
  })

  test('requires a new owner for a team whose only owner deleted their account with it', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const deleteAccount = 'mutation ($teams: [String!]) { deleteAccount(input: { deleteTeams: $teams }) { user { id: userId } } }'
    expect((await executeAs(service, await sessionOf(service, owner), deleteAccount, { teams: [team.slug] })).refusal).toBeNull()
    expect((await restoreTeam(team.slug)).refusal?.details.errors).toEqual({ owner: [expect.stringContaining('name an account')] })
    expect((await restoreTeam(team.slug, `${unique('no')}@example.test`)).refusal?.details.errors).toEqual({
      owner: ['The selected owner is invalid.'],
    })
    const { id, email } = await createUser(database)
    expect((await restoreTeam(team.slug, email)).refusal).toBeNull()
    // The account is erased later; until then its disabled user remains a member.
    const members = await prisma.member.findMany({ where: { teamId: team.id } })
    expect(Object.fromEntries(members.map(({ userId, role }) => [userId, role]))).toEqual({ [owner.id]: 'owner', [id]: 'owner' })
  })
})

test('two mutations of one request cannot use the team after the first has deleted it', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const both = `mutation ($team: String!) {
    deleteTeam(input: { team: $team, confirmSlug: $team }) { team { slug } }
    updateTeam(input: { team: $team, name: "New" }) { team { name } }
  }`
  const { data, refusal } = await executeAs(service, await sessionOf(service, owner), both, { team: team.slug })
  expect([data, refusal?.code]).toEqual([{ deleteTeam: { team: { slug: team.slug } }, updateTeam: null }, 'team_forbidden'])
  expect((await prisma.team.findUniqueOrThrow({ where: { id: team.id } })).name).toBe('Acme')
})

test('deleteTeam, restoreTeam and deletedTeams reject tokens', async () => {
  const { team, token } = await createOwnedTeam(database)
  const codeOf = async (...args: Parameters<typeof graphql>) => (await graphql(...args)).errors[0]?.extensions?.code
  for (const value of [token, await teamToken(database, team)]) {
    expect(await codeOf(service, value, remove, { team: team.slug, confirmSlug: team.slug })).toBe('session_required')
    expect(await codeOf(service, value, restore, { team: team.slug })).toBe('session_required')
    expect(await codeOf(service, value, listDeleted)).toBe('session_required')
  }
})
