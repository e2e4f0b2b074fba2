import { describe, expect, test } from 'vitest'
import { oauthScopes, scopesOfAnyKind } from '../../../schema/core/scopes.ts'
import { createAccountSupportSession } from '../../support/data/support-session.ts'
import { createUser, personalToken } from '../../support/data/team.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { sendsWith } from '../../support/graphql/sends-with.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Users open the pages of their account to staff: docs/decisions/staff.md#support-sessions.

const service = useService()
const { database, clock, mails } = service
const { prisma } = database
const { byToken, bySession } = sendsWith(service)

const open =
  'mutation ($until: DateTime!) { openAccountSupportSession(input: { until: $until }) { supportSession { supportSessionId openedBy { name } expiresAt endedAt } } }'
const end = 'mutation ($id: ID!) { endSupportSession(input: { id: $id }) { supportSession { supportSessionId endedAt } } }'
const read = '{ viewer { supportSession { supportSessionId openedBy { name } expiresAt endedAt } supportReadings { path } } }'
const after = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString()
const countOpen = ({ id }: { id: string }) => prisma.supportSession.count({ where: { userId: id, endedAt: null } })
const entriesAbout = ({ id }: { id: string }) =>
  prisma.auditEntry.findMany({
    where: { subject: id, action: { in: ['openAccountSupportSession', 'endSupportSession'] } },
    orderBy: { at: 'asc' },
    select: { action: true, actorKind: true, before: true, after: true, teamId: true },
  })

describe('a user', () => {
  test('opens a support session of the account, sees it, and ends it; each is an audit entry, and the user receives an email', async () => {
    const user = await createUser(database)
    const principal = await sessionOf(service, user)
    const until = after(60)
    mails.length = 0
    const opened = await executeAs(service, principal, open, { until })
    const session = opened.data?.['openAccountSupportSession'].supportSession
    expect(session).toMatchObject({ openedBy: { name: user.name }, expiresAt: until, endedAt: null })
    expect(mails.map((mail) => [mail.kind, 'userId' in mail && mail.userId])).toEqual([['account-support-opened', user.id]])
    const viewer = { supportSession: session, supportReadings: [] }
    expect((await executeAs(service, principal, read)).data).toEqual({ viewer })
    const id = session.supportSessionId
    const ended = await executeAs(service, { ...principal, authenticatedAt: new Date(0) }, end, { id })
    expect(ended.data?.['endSupportSession'].supportSession).toEqual({ supportSessionId: id, endedAt: expect.any(String) })
    expect((await executeAs(service, principal, read)).data?.['viewer'].supportSession).toBeNull()
    const common = { actorKind: 'user', teamId: null }
    expect(await entriesAbout(user)).toEqual([
      { ...common, action: 'openAccountSupportSession', before: null, after: { expiresAt: until } },
      { ...common, action: 'endSupportSession', before: { expiresAt: until }, after: null },
    ])
  })

  test('opens one at most, however many requests arrive at the same time, for 24 hours at most', async () => {
    const user = await createUser(database)
    const principal = await sessionOf(service, user)
    const results = await Promise.all(Array.from({ length: 8 }, () => executeAs(service, principal, open, { until: after(60) })))
    expect(results.map(({ refusal }) => refusal)).toEqual(results.map(() => null))
    expect(await countOpen(user)).toBe(1)
    const { refusal } = await executeAs(service, principal, open, { until: after(24 * 60 + 1) })
    expect(refusal?.details.errors).toEqual({ until: ['The until field must be a time within the next 24 hours.'] })
  })

  test('can neither end nor see that of another user', async () => {
    const user = await createUser(database)
    const { id } = await createAccountSupportSession(database, user, { now: clock.now() })
    const other = await sessionOf(service, await createUser(database))
    expect((await executeAs(service, other, end, { id })).refusal?.code).toBe('not_found')
    expect((await executeAs(service, other, read)).data?.['viewer'].supportSession).toBeNull()
    expect(await countOpen(user)).toBe(1)
  })

  test('has what an operator ended in the export of the account', async () => {
    const { owner } = await createScenarioContext(service)
    const { id } = await createAccountSupportSession(database, owner, { now: clock.now() })
    expect((await executeAs(service, operator, open, { until: after(60) })).refusal?.code).toBe('role_required')
    expect((await executeAs(service, operator, end, { id })).refusal).toBeNull()
    const { data } = await executeAs(service, await sessionOf(service, owner), 'mutation { exportAccount { data } }')
    const entries = JSON.parse(data?.['exportAccount'].data).audit_entries
    expect(entries.map(({ action }: { action: string }) => action)).toContain('endSupportSession')
  })
})

const credentials = {
  'no credential': ['unauthenticated', () => Promise.resolve(byToken(''))],
  'a personal token of the user with every scope': [
    'session_required',
    async ({ owner }) => byToken(await personalToken(database, owner, { scopes: [...scopesOfAnyKind] })),
  ],
  'an OAuth access token of the user with every scope': [
    'session_required',
    async ({ owner }) => byToken(await accessToken(database, await createGrant(database, owner, { scopes: oauthScopes }))),
  ],
  'a session whose sign-in is not recent': [
    'recent_sign_in_required',
    ({ principal }) => Promise.resolve(bySession({ ...principal, authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) })),
  ],
} satisfies Record<
  string,
  [code: string, create: (context: Awaited<ReturnType<typeof createScenarioContext>>) => Promise<ReturnType<typeof byToken>>]
>

test.each(Object.entries(credentials))('%s is not enough to open one', async (_, [code, create]) => {
  const context = await createScenarioContext(service)
  const send = await create(context)
  expect(await send(open, { until: after(60) })).toBe(code)
  expect(await countOpen(context.owner)).toBe(0)
})

/** Mutations that end the support session of the account that they change, with members of their input if they are not those of the scenario. */
const ending: Record<string, object> = {
  changePassword: {},
  resetPassword: { endOtherSessions: false },
  disableSecondFactor: {},
  revokeOtherSessions: {},
  deleteAccount: {},
}

test.each(Object.entries(ending))('%s ends it', async (name, further) => {
  const context = await createScenarioContext(service)
  const { document = '', prepare } = scenarios[name] ?? {}
  const scenario = await prepare?.(context)
  const user = scenario?.principal.kind === 'user' ? scenario.principal.user : context.owner
  await createAccountSupportSession(database, user, { now: clock.now() })
  const { input = {}, ...variables }: { input?: object } = scenario?.variables ?? {}
  const sent = { ...variables, ...(scenario?.variables && { input: { ...input, ...further } }) }
  const { refusal } = await executeAs(service, scenario?.principal ?? context.principal, document, sent, undefined, scenario?.browser)
  expect(refusal).toBeNull()
  expect(await countOpen(user)).toBe(0)
})

test('it ends for good with the account: an operator disables and enables it, or ends the sessions', async () => {
  const user = await createUser(database)
  const run = (field: string) => executeAs(service, operator, `mutation { ${field}(input: { email: "${user.email}" }) { user { name } } }`)
  for (const [first, ...others] of [['disableUser', 'enableUser'], ['endUserSessions']] as const) {
    await createAccountSupportSession(database, user, { now: clock.now() })
    for (const field of [first, ...others]) expect((await run(field)).refusal).toBeNull()
    expect([first, await countOpen(user)]).toEqual([first, 0])
  }
})

test('it is deleted with the account, and is of a team or an account, but not of both', async () => {
  const { team, owner, member } = await createScenarioContext(service)
  const { id } = await createAccountSupportSession(database, member, { now: clock.now() })
  await expect(prisma.supportSession.update({ where: { id }, data: { teamId: team.id } })).rejects.toThrow('support_sessions_of_one')
  await expect(createAccountSupportSession(database, member, { now: clock.now() })).rejects.toThrow('Unique constraint')
  await prisma.user.delete({ where: { id: member.id } })
  expect(await prisma.supportSession.count({ where: { id } })).toBe(0)
  expect(await countOpen(owner)).toBe(0)
})

test('staff see in GraphQL whether an account has an open support session', async () => {
  const user = await createUser(database)
  await createAccountSupportSession(database, user, { now: clock.now() })
  const token = await staffToken(database, await createStaff(database))
  const { data } = await graphql(service, token, `{ staff { account(id: "${user.id}") { supportSession { openedBy { name } } } } }`)
  expect(data).toEqual({ staff: { account: { supportSession: { openedBy: { name: user.name } } } } })
})
