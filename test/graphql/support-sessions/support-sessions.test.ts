import { describe, expect, test } from 'vitest'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createSupportSession } from '../../support/data/support-session.ts'
import { join } from '../../support/data/team.ts'

// Owners open the pages of their team to staff: docs/decisions/staff.md#support-sessions.

const service = useService()
const { database, clock, mails } = service
const { prisma } = database

const open =
  'mutation ($team: String!, $until: DateTime!) { openSupportSession(input: { team: $team, until: $until }) { supportSession { supportSessionId openedBy { name } expiresAt endedAt } } }'
const end = 'mutation ($id: ID!) { endSupportSession(input: { id: $id }) { supportSession { supportSessionId endedAt } } }'
const read = 'query ($team: String!) { team(slug: $team) { supportSession { supportSessionId openedBy { name } expiresAt endedAt } } }'
const after = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString()
const entriesOf = ({ id }: { id: string }) =>
  prisma.auditEntry.findMany({ where: { teamId: id }, orderBy: { at: 'asc' }, select: { action: true, before: true, after: true } })

describe('an owner', () => {
  test('opens a support session, sees it, and ends it; each is an audit entry, and the owners receive an email', async () => {
    const { team, owner, member, principal } = await createScenarioContext(service)
    await prisma.member.updateMany({ where: { userId: member.id }, data: { role: 'owner' } })
    const until = after(60)
    mails.length = 0
    const opened = await executeAs(service, principal, open, { team: team.slug, until })
    const session = opened.data?.['openSupportSession'].supportSession
    expect(session).toMatchObject({ openedBy: { name: owner.name }, expiresAt: until, endedAt: null })
    const recipients = mails.map((mail) => `${mail.kind} ${'userId' in mail ? mail.userId : ''}`)
    expect(recipients.toSorted()).toEqual([owner, member].map(({ id }) => `support-session-opened ${id}`).toSorted())
    const { data } = await executeAs(service, principal, read, { team: team.slug })
    expect(data?.['team'].supportSession).toEqual(session)
    const id = session.supportSessionId
    const ended = await executeAs(service, principal, end, { id })
    expect(ended.data?.['endSupportSession'].supportSession).toEqual({ supportSessionId: id, endedAt: expect.any(String) })
    expect((await executeAs(service, principal, read, { team: team.slug })).data?.['team'].supportSession).toBeNull()
    expect(await entriesOf(team)).toEqual([
      { action: 'openSupportSession', before: null, after: { expiresAt: until } },
      { action: 'endSupportSession', before: { expiresAt: until }, after: null },
    ])
  })

  test('ends a support session again without an effect, and with an old sign-in', async () => {
    const { team, owner, principal } = await createScenarioContext(service)
    const { id } = await createSupportSession(database, team, owner, { now: clock.now() })
    const old = { ...principal, authenticatedAt: new Date(0) }
    const results = [await executeAs(service, old, end, { id }), await executeAs(service, old, end, { id })]
    expect(results.map(({ refusal }) => refusal)).toEqual([null, null])
    expect((await entriesOf(team)).map(({ action }) => action)).toEqual(['endSupportSession'])
  })

  test('ends the open support session by opening another one', async () => {
    const { team, owner, principal } = await createScenarioContext(service)
    const previous = await createSupportSession(database, team, owner, { now: clock.now() })
    const until = after(240)
    await executeAs(service, principal, open, { team: team.slug, until })
    const sessions = await prisma.supportSession.findMany({ where: { teamId: team.id, endedAt: null } })
    expect(sessions.map(({ expiresAt }) => expiresAt.toISOString())).toEqual([until])
    expect(await entriesOf(team)).toEqual([
      { action: 'openSupportSession', before: { expiresAt: previous.expiresAt.toISOString() }, after: { expiresAt: until } },
    ])
  })

  test('opens one after the last one has expired', async () => {
    const { team, owner, principal } = await createScenarioContext(service)
    await createSupportSession(database, team, owner, { now: new Date(clock.now().getTime() - 3_600_000), minutes: 30 })
    expect((await executeAs(service, principal, read, { team: team.slug })).data?.['team'].supportSession).toBeNull()
    const { refusal } = await executeAs(service, principal, open, { team: team.slug, until: after(60) })
    expect(refusal).toBeNull()
    expect(await entriesOf(team)).toMatchObject([{ action: 'openSupportSession', before: null }])
  })

  test('opens one at most, however many requests arrive at the same time', async () => {
    const { team, principal } = await createScenarioContext(service)
    const results = await Promise.all(
      Array.from({ length: 8 }, () => executeAs(service, principal, open, { team: team.slug, until: after(60) })),
    )
    expect(results.map(({ refusal }) => refusal)).toEqual(results.map(() => null))
    expect(await prisma.supportSession.count({ where: { teamId: team.id, endedAt: null } })).toBe(1)
  })

  test.each([
    ['the past', -1],
    ['now', 0],
    ['more than 24 hours', 24 * 60 + 1],
  ])('cannot open one until %s', async (_, minutes) => {
    const { team, principal } = await createScenarioContext(service)
    const { refusal } = await executeAs(service, principal, open, { team: team.slug, until: after(minutes) })
    expect([refusal?.code, refusal?.details.errors]).toEqual([
      'validation_failed',
      { until: ['The until field must be a time within the next 24 hours.'] },
    ])
    expect([await prisma.supportSession.count({ where: { teamId: team.id } }), await entriesOf(team)]).toEqual([0, []])
  })

  test('who is no longer one leaves no open support session behind', async () => {
    const { team, owner, member } = await createScenarioContext(service)
    await prisma.member.updateMany({ where: { userId: member.id }, data: { role: 'owner' } })
    await createSupportSession(database, team, owner, { now: clock.now() })
    const isOpen = async () =>
      (await executeAs(service, await sessionOf(service, member), read, { team: team.slug })).data?.['team'].supportSession !== null
    expect(await isOpen()).toBe(true)
    await prisma.member.updateMany({ where: { userId: owner.id }, data: { role: 'member' } })
    expect(await isOpen()).toBe(false)
    await prisma.member.updateMany({ where: { userId: owner.id }, data: { role: 'owner' } })
    expect(await isOpen()).toBe(true)
    await prisma.user.update({ where: { id: owner.id }, data: { disabledAt: clock.now() } })
    expect(await isOpen()).toBe(false)
  })
})

test('an operator cannot open a support session for a team, and can end one', async () => {
  const { team, owner } = await createScenarioContext(service)
  const { refusal } = await executeAs(service, operator, open, { team: team.slug, until: after(60) })
  expect(refusal?.code).toBe('role_required')
  const { id } = await createSupportSession(database, team, owner, { now: clock.now() })
  expect((await executeAs(service, operator, end, { id })).refusal).toBeNull()
})

test('an owner of another team can neither end a support session nor learn of it', async () => {
  const { team, owner } = await createScenarioContext(service)
  const { id } = await createSupportSession(database, team, owner, { now: clock.now() })
  const { principal } = await createScenarioContext(service)
  const codes = await Promise.all(
    [id, 'ffffffff-ffff-4fff-bfff-ffffffffffff', 'x\0'].map((each) => executeAs(service, principal, end, { id: each })),
  )
  expect(codes.map(({ refusal }) => refusal?.code)).toEqual(['not_found', 'not_found', 'not_found'])
})

test('staff see in GraphQL whether a team has an open support session, and nothing else of the team through it', async () => {
  const { team, owner } = await createScenarioContext(service)
  await createSupportSession(database, team, owner, { now: clock.now() })
  const token = await staffToken(database, await createStaff(database))
  const document = (field: string) => `{ staff { team(slug: "${team.slug}") { ${field} } } }`
  const { data } = await graphql(service, token, document('supportSession { openedBy { name } }'))
  expect(data).toEqual({ staff: { team: { supportSession: { openedBy: { name: owner.name } } } } })
  const refused = await graphql(service, token, document('domains { domain }'))
  expect(refused.errors[0]?.extensions?.['code']).toBe('team_forbidden')
  const direct = await graphql(service, token, `{ team(slug: "${team.slug}") { supportSession { openedAt } } }`)
  expect(direct.errors[0]?.extensions?.['code']).toBe('team_forbidden')
})

test('a support session ends with its team and outlives the account of its owner as one that is not open', async () => {
  const { team, owner, member } = await createScenarioContext(service)
  await join(database, team, await prisma.user.create({ data: { name: 'Zoe', email: `zoe-${team.slug}@example.test` } }), 'owner')
  const { id } = await createSupportSession(database, team, owner, { now: clock.now() })
  await prisma.user.delete({ where: { id: owner.id } })
  expect(await prisma.supportSession.findUnique({ where: { id } })).toMatchObject({ openedById: null })
  await prisma.member.updateMany({ where: { userId: member.id }, data: { role: 'owner' } })
  const { data } = await executeAs(service, await sessionOf(service, member), read, { team: team.slug })
  expect(data?.['team'].supportSession).toBeNull()
})
