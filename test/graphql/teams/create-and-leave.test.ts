import { describe, expect, test } from 'vitest'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, unique } from '../../support/data/team.ts'

// Operations without HTTP. The tests of the pages are in test/account-site.

const service = useService()
const { database, clock } = service
const { prisma } = database
const create = `mutation ($slug: String!, $name: String!, $timezone: String, $owner: String) {
  createTeam(input: { slug: $slug, name: $name, timezone: $timezone, owner: $owner }) { team { slug name timezone } }
}`
const leave = 'mutation ($team: String!) { leaveTeam(input: { team: $team }) { member { id: userId role } } }'
const day = 86_400_000

describe('createTeam by a user', () => {
  test('makes the user the only owner and writes one audit entry', async () => {
    const user = await createUser(database)
    const slug = unique('crew')
    const { data, refusal } = await executeAs(service, await sessionOf(service, user), create, { slug, name: ' Crew ', timezone: 'UTC' })
    expect(refusal).toBeNull()
    expect(data.createTeam.team).toEqual({ slug, name: 'Crew', timezone: 'UTC' })
    const { id, members } = await prisma.team.findUniqueOrThrow({ where: { slug }, include: { members: true } })
    expect(members).toMatchObject([{ userId: user.id, role: 'owner', allApplications: true }])
    expect(await prisma.auditEntry.findMany({ where: { teamId: id } })).toMatchObject([
      {
        action: 'createTeam',
        actorUserId: user.id,
        subject: slug,
        after: { slug, name: 'Crew', timezone: 'UTC', owner: user.email },
      },
    ])
  })

  test('requires a currently verified email address', async () => {
    const user = await createUser(database, { emailVerified: false })
    const session = await sessionOf(service, user)
    const input = { slug: unique('crew'), name: 'Crew' }
    expect((await executeAs(service, session, create, input)).refusal?.details.errors).toEqual({
      email: ['Verify your email address before you create a team.'],
    })
    await prisma.user.update({ where: { id: user.id }, data: { emailVerified: true } })
    expect((await executeAs(service, session, create, input)).refusal).toBeNull()
  })

  test('returns role_required if it names an owner', async () => {
    const session = await sessionOf(service, await createUser(database))
    const { email } = await createUser(database)
    for (const owner of [email, session.user.email])
      expect((await executeAs(service, session, create, { slug: unique('crew'), name: 'Crew', owner })).refusal?.code).toBe('role_required')
  })

  test('is limited to 20 teams per day, also with 30 concurrent requests', async () => {
    const session = await sessionOf(service, await createUser(database))
    const createAnother = () => executeAs(service, session, create, { slug: unique('crew'), name: 'Crew' })
    const outcomes = await Promise.all(Array.from({ length: 30 }, createAnother))
    const refusals = outcomes.flatMap(({ refusal }) => refusal ?? [])
    expect(refusals.map(({ code }) => code)).toEqual(Array(10).fill('rate_limited'))
    expect(refusals[0]?.details).toMatchObject({ limit: { policy: 'teams-per-person', quota: 20, windowSeconds: 86_400 } })
    expect(await prisma.member.count({ where: { userId: session.user.id } })).toBe(20)
    clock.advance(day)
    expect((await createAnother()).refusal).toBeNull()
  })
})

test('createTeam by the operator accepts reserved slugs', async () => {
  for (const slug of ['hq', 'status']) expect((await executeAs(service, operator, create, { slug, name: 'HQ' })).refusal).toBeNull()
})

test('createTeam by the operator requires the email address of an existing user as owner', async () => {
  const { id, email } = await createUser(database)
  const slug = unique('crew')
  const input = { slug, name: 'Crew', owner: `${unique('unknown')}@example.test` }
  const { refusal } = await executeAs(service, operator, create, input)
  expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', { owner: ['The selected owner is invalid.'] }])
  expect((await executeAs(service, operator, create, { ...input, owner: ` ${email.toUpperCase()}` })).refusal).toBeNull()
  expect(await prisma.member.findMany({ where: { team: { slug } } })).toMatchObject([{ userId: id, role: 'owner' }])
})

describe('leaveTeam', () => {
  test.each(['member', 'billing', 'owner'] as const)('removes a user with the role %s from the team', async (role) => {
    const { team } = await createOwnedTeam(database)
    const user = await createUser(database)
    await join(database, team, user, role)
    const { data, refusal } = await executeAs(service, await sessionOf(service, user), leave, { team: team.slug })
    expect([refusal, data.leaveTeam.member]).toEqual([null, { id: user.id, role: role.toUpperCase() }])
    expect((await sessionOf(service, user)).teams.count).toBe(0)
  })

  test('returns last_owner for the last owner', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const { refusal } = await executeAs(service, await sessionOf(service, owner), leave, { team: team.slug })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['last_owner', { role: ['The team must keep at least one owner.'] }])
  })

  test('lets one of two owners leave concurrently, in 30 rounds', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 30; round++) {
      const { team, owner } = await createOwnedTeam(database)
      const other = await createUser(database)
      await join(database, team, other, 'owner')
      const sessions = await Promise.all([sessionOf(service, owner), sessionOf(service, other)])
      const outcomes = await Promise.all(sessions.map((session) => executeAs(service, session, leave, { team: team.slug })))
      expect(outcomes.map(({ refusal }) => refusal?.code ?? 'done').toSorted()).toEqual(['done', 'last_owner'])
      expect(await prisma.member.count({ where: { teamId: team.id } })).toBe(1)
    }
  })

  test('returns team_forbidden for other and unknown teams, and role_required for the operator', async () => {
    const session = await sessionOf(service, await createUser(database))
    const { slug } = await createTeam(database)
    for (const team of [slug, 'no-such-team'])
      expect((await executeAs(service, session, leave, { team })).refusal?.code).toBe('team_forbidden')
    expect((await executeAs(service, operator, leave, { team: slug })).refusal?.code).toBe('role_required')
  })
})
