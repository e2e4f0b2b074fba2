import { expect, test } from 'vitest'
import { request } from '../../support/http/request.ts'
import { executeAs } from '../../support/service/in-process.ts'
import { useDisconnectableService } from '../../support/oauth/disconnectable-service.ts'
import { createOwnedTeam, createUser, join, unique } from '../../support/data/team.ts'
import { scenarios } from '../../support/graphql/scenarios/mutation-scenarios.ts'
import { createScenarioContext } from '../../support/graphql/scenarios/scenario.ts'
import type { Scenarios } from '../../support/graphql/scenarios/scenario.ts'

// How often each mutation waits for the database: BEGIN is sent with the first statement, and the deferred statements with the audit entry
// and COMMIT. Two are the lower bound of a change that depends on what it reads.

const roundTrips: Readonly<Record<string, number>> = {
  setSignInRequirement: 6,
  remindOfRequiredSignIn: 5,
  openTeamAsOwner: 7,
  addTeamDomain: 3,
  allowAgentHost: 3,
  removeAgentHost: 3,
  verifyTeamDomain: 4,
  removeTeamDomain: 4,
  acceptInvitation: 3,
  changePassword: 3,
  cancelEmailChange: 3,
  completeSignUp: 3,
  confirmEmailChange: 2,
  moveTotp: 2,
  confirmTotp: 2,
  createClient: 1,
  createPersonalToken: 1,
  createTeam: 2,
  approveClient: 5,
  createTeamClient: 4,
  createTeamToken: 2,
  createUser: 2,
  createWebhook: 3,
  createIdentityProvider: 3,
  updateIdentityProvider: 4,
  deleteIdentityProvider: 4,
  disableIdentityProvider: 5,
  enableIdentityProvider: 5,
  setAgentAssertions: 6,
  createInitialAccessToken: 3,
  deleteInitialAccessToken: 3,
  openSupportSession: 3,
  openAccountSupportSession: 3,
  endSupportSession: 4,
  createWorkloadIdentity: 3,
  updateWorkloadIdentity: 3,
  deleteWorkloadIdentity: 3,
  deleteWebhook: 3,
  redeliver: 4,
  replayEvents: 4,
  rejectClient: 4,
  revokeClientAccess: 3,
  rotateTeamClientSecret: 4,
  rotateWebhookSecret: 3,
  submitTeamClient: 4,
  updateTeamClient: 4,
  // Two are for the limit of tests and the slug of the team, of which the event has an example.
  sendTestEvent: 5,
  updateBillingDetails: 3,
  updateWebhook: 3,
  declineInvitation: 2,
  deleteAccount: 3,
  deleteClient: 3,
  deletePasskey: 3,
  deleteTeam: 3,
  deleteTeamClient: 4,
  deleteUser: 4,
  disableClient: 2,
  disableSecondFactor: 2,
  disableUser: 2,
  enableClient: 2,
  enableUser: 2,
  endMemberSessions: 3,
  endUserSessions: 3,
  resendUserVerification: 3,
  retryMail: 2,
  exportAccount: 2,
  exportAuditLog: 2,
  exportUser: 3,
  inviteMember: 2,
  leaveTeam: 2,
  reduceGrantScopes: 2,
  regenerateRecoveryCodes: 2,
  registerPasskey: 3,
  remindOfTwoFactor: 4,
  removeMember: 2,
  renamePasskey: 2,
  requestEmailChange: 3,
  requestPasswordReset: 3,
  requestSignInCode: 3,
  requirePasskey: 2,
  resendInvitation: 3,
  resendSignUp: 3,
  resendVerification: 3,
  resetPassword: 3,
  resetSecondFactor: 2,
  restoreTeam: 3,
  revokeGrant: 2,
  revokeGrantTeamAccess: 2,
  revokeInvitation: 3,
  revokeOtherSessions: 2,
  revokeSession: 2,
  revokeToken: 3,
  revokeTrustedDevice: 2,
  unlinkIdentity: 4,
  updateToken: 3,
  revokeTokenTeamAccess: 2,
  rotateClientSecret: 2,
  rotateSigningKeys: 2,
  rotateToken: 3,
  setStaff: 2,
  // Three read the groups that a directory has stated, and their members.
  setGroupRoles: 5,
  setTwoFactorRequirement: 3,
  signUp: 3,
  transferOwnership: 2,
  updateClient: 2,
  updateMember: 2,
  updateNotifications: 2,
  updateProfile: 2,
  updateTeam: 2,
  verifyEmail: 2,
}

const { service, proxy } = useDisconnectableService()

async function count(work: () => Promise<unknown>): Promise<number> {
  const before = proxy.roundTrips()
  await work()
  return proxy.roundTrips() - before
}

test('every mutation takes no more round trips than listed', async () => {
  const counts: Record<string, number> = {}
  const measure = async ({ document, prepare }: Scenarios[string]) => {
    const { principal, variables, browser } = await prepare(await createScenarioContext(service))
    return count(async () => expect((await executeAs(service, principal, document, variables, undefined, browser)).refusal).toBeNull())
  }
  const exceeds = (name: string) => (counts[name] ?? Infinity) > (roundTrips[name] ?? 0)
  for (const [name, scenario] of Object.entries(scenarios))
    // On a busy machine, what the preparation left for the background can fall into the measurement: it is repeated then.
    for (let attempts = 0; attempts < 3 && exceeds(name); attempts++) counts[name] = await measure(scenario)
  expect(Object.keys(counts).toSorted()).toEqual(Object.keys(roundTrips).toSorted())
  expect(Object.entries(counts).filter(([name]) => exceeds(name))).toEqual([])
})

test('a request that changes a team, changes a member or invites takes one more, for its credential', async () => {
  const { team, token } = await createOwnedTeam(service.database)
  const member = await createUser(service.database)
  await join(service.database, team, member, 'member')
  // Otherwise the use of the token is recorded in the background.
  await service.database.prisma.accessToken.updateMany({ data: { lastUsedAt: new Date(Date.now() + 3_600_000) } })
  const path = `/api/v1/teams/${team.slug}`
  const send = (method: 'PATCH' | 'POST', suffix: string, body: object) =>
    count(async () => expect((await request(service, method, path + suffix, { token, body })).status).toBeLessThan(300))
  expect([
    await send('PATCH', '', { name: 'New' }),
    await send('PATCH', `/members/${member.id}`, { role: 'billing' }),
    await send('POST', '/invitations', { email: `${unique('new')}@example.test`, role: 'member' }),
  ]).toEqual([3, 3, 3])
})
