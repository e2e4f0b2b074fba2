import { expect, test } from 'vitest'
import { readAccountInSupportSession } from '../../../schema/accounts/support-sessions/account-reading.ts'
import { createAccountSupportSession } from '../../support/data/support-session.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import { createStaff } from '../../support/graphql/staff/staff.ts'
import { contextOf, executeAs, sessionOf } from '../../support/service/in-process.ts'
import { createTestBrowser } from '../../support/service/test-browser.ts'
import { useService } from '../../support/service/service.ts'

// The caller as which staff read a page of an account is its user, without any team, mutation, secret or right of staff.

const service = useService()
const { database } = service

async function openReader() {
  const context = await createScenarioContext(service)
  await createAccountSupportSession(database, context.owner, { now: service.clock.now() })
  const staff = { ...(await sessionOf(service, await createStaff(database, { staffRole: 'admin' }))), provedTwoFactor: true }
  const reading = await readAccountInSupportSession(contextOf(service, staff), context.owner.id, '/security')
  if (!reading) throw new Error('the support session is not open')
  const execute = (document: string, variables = {}) =>
    executeAs(service, reading.principal, document, variables, undefined, createTestBrowser())
  return { ...context, execute }
}

test('reads the account as its user, and no team', async () => {
  const { owner, team, execute } = await openReader()
  const { data, refusal } = await execute('{ viewer { userId staffRole teamSlugs scopes } teams { slug } }')
  expect([refusal, data]).toMatchObject([null, { viewer: { userId: owner.id, staffRole: null, teamSlugs: [] }, teams: [] }])
  expect(data?.['viewer'].scopes.filter((scope: string) => scope.startsWith('acct:staff'))).toEqual([])
  expect((await execute(`{ team(slug: "${team.slug}") { name } }`)).refusal?.code).toBe('team_forbidden')
})

test.each([
  ['{ viewer { totpProposal { secret } } }', 'role_required'],
  ['{ viewer { passkeyRegistration } }', 'role_required'],
  ['{ viewer { hasPassword } }', 'role_required'],
  ['{ viewer { proofAddress } }', 'role_required'],
  ['{ staff { users { total } } }', 'not_found'],
])('cannot read %s', async (document, code) => {
  const { execute } = await openReader()
  expect((await execute(document)).refusal?.code).toBe(code)
})

test.each(['updateProfile', 'changePassword', 'createPersonalToken', 'openAccountSupportSession', 'endSupportSession', 'exportAccount'])(
  'cannot use %s',
  async (name) => {
    const { execute, ...context } = await openReader()
    const { document = '', prepare } = scenarios[name] ?? {}
    const scenario = await prepare?.(context)
    expect((await execute(document, scenario?.variables)).refusal?.code).toBe('role_required')
  },
)
