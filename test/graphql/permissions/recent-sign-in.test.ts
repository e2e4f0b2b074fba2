import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { schema } from '../../../schema/index.ts'
import { findRequirement } from '../../../schema/core/requires.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { readAllRows } from '../../support/graphql/all-rows.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'

const service = useService()

/** Mutations that an unlocked screen must not expose. Listed by name so that none loses the requirement unnoticed. */
const guardedMutations = [
  'addTeamDomain',
  'allowAgentHost',
  'changePassword',
  'confirmTotp',
  'createIdentityProvider',
  'createInitialAccessToken',
  'createPersonalToken',
  'createTeamClient',
  'createTeamToken',
  'createWebhook',
  'createWorkloadIdentity',
  'deleteAccount',
  'deleteIdentityProvider',
  'deletePasskey',
  'deleteTeam',
  'deleteTeamClient',
  'disableSecondFactor',
  'endMemberSessions',
  'exportAccount',
  'moveTotp',
  'openAccountSupportSession',
  'openSupportSession',
  'regenerateRecoveryCodes',
  'registerPasskey',
  'removeAgentHost',
  'removeTeamDomain',
  'renamePasskey',
  'requestEmailChange',
  'requirePasskey',
  'restoreTeam',
  'revokeOtherSessions',
  'revokeSession',
  'rotateTeamClientSecret',
  'rotateToken',
  'rotateWebhookSecret',
  'setAgentAssertions',
  'setGroupRoles',
  'setSignInRequirement',
  'setTwoFactorRequirement',
  'submitTeamClient',
  'transferOwnership',
  'unlinkIdentity',
  'updateIdentityProvider',
  'updateTeamClient',
  'updateWorkloadIdentity',
  'verifyTeamDomain',
]

test('only the listed mutations always require a recent sign-in', () => {
  const fields = Object.values(schema.getMutationType()?.getFields() ?? {})
  const requiring = fields.filter(({ extensions }) => findRequirement(extensions)?.recentSignIn)
  expect(requiring.map(({ name }) => name).toSorted()).toEqual(guardedMutations)
})

describe.each(guardedMutations)('%s', (name) => {
  async function executeMinutesAfterSignIn(minutesAgo: number) {
    const scenario = scenarios[name]
    if (!scenario) throw new Error('no scenario')
    const { principal, variables } = await scenario.prepare(await createScenarioContext(service))
    if (principal.kind !== 'user') throw new Error('the scenario has no session')
    const session = { ...principal, authenticatedAt: new Date(service.clock.now().getTime() - minutesAgo * 60_000) }
    const before = await readAllRows(service)
    const { data, refusal } = await executeAs(service, session, scenario.document, variables)
    const isUnchanged = isDeepStrictEqual(await readAllRows(service), before)
    return { data, code: refusal?.code, isUnchanged }
  }

  test('is rejected and changes nothing 16 minutes after sign-in', async () => {
    expect(await executeMinutesAfterSignIn(16)).toEqual({ data: { [name]: null }, code: 'recent_sign_in_required', isUnchanged: true })
  })

  test('is accepted 14 minutes after sign-in', async () => {
    // An export writes its audit entry alone, which is not among these rows.
    const isUnchanged = name === 'exportAccount'
    expect(await executeMinutesAfterSignIn(14)).toEqual({ data: { [name]: expect.anything() }, code: undefined, isUnchanged })
  })
})

describe.each([
  [
    'that invites an owner',
    'inviteMember',
    'mutation ($team: String!) { inviteMember(input: { team: $team, email: "o@example.test", role: OWNER }) { invitation { id: invitationId } } }',
  ],
  [
    'that makes a member an owner',
    'updateMember',
    'mutation ($team: String!, $id: ID!) { updateMember(input: { team: $team, userId: $id, role: OWNER }) { member { id: userId } } }',
  ],
])('a mutation %s', (_, name, document) => {
  test.each([
    ['is rejected', 16, 'recent_sign_in_required'],
    ['is accepted', 14, undefined],
  ])('%s %s minutes after sign-in', async (_, minutesAgo, code) => {
    const { principal, team, member } = await createScenarioContext(service)
    const session = { ...principal, authenticatedAt: new Date(service.clock.now().getTime() - minutesAgo * 60_000) }
    const { data, refusal } = await executeAs(service, session, document, { team: team.slug, id: member.id })
    expect([refusal?.code, data?.[name] !== null]).toEqual([code, code === undefined])
  })
})
