import { beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../../schema/index.ts'
import { findRequirement } from '../../../schema/core/requires.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { graphql } from '../../support/http/graphql.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken } from '../../support/data/team.ts'
import { teamCredentials } from '../../support/oauth/clients/machines.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const id = '00000000-0000-4000-8000-000000000000'

/** A well-formed call of every mutation, for credentials that must not be sufficient. */
const calls: Record<string, (slug: string) => string> = {
  updateTeam: (slug) => `updateTeam(input: { team: "${slug}", name: "Evil" })`,
  updateBillingDetails: (slug) => `updateBillingDetails(input: { team: "${slug}", name: "Evil" })`,
  createTeam: () => 'createTeam(input: { slug: "evil", name: "Evil" })',
  deleteTeam: (slug) => `deleteTeam(input: { team: "${slug}", confirmSlug: "${slug}" })`,
  restoreTeam: (slug) => `restoreTeam(input: { team: "${slug}" })`,
  setTwoFactorRequirement: (slug) => `setTwoFactorRequirement(input: { team: "${slug}", graceDays: 0 })`,
  setGroupRoles: (slug) => `setGroupRoles(input: { team: "${slug}", groups: [] })`,
  transferOwnership: (slug) => `transferOwnership(input: { team: "${slug}", newOwner: "evil@example.test", role: MEMBER })`,
  exportAuditLog: (slug) => `exportAuditLog(input: { team: "${slug}" })`,
  updateMember: (slug) => `updateMember(input: { team: "${slug}", userId: "${id}", role: OWNER })`,
  remindOfRequiredSignIn: (slug) => `remindOfRequiredSignIn(input: { team: "${slug}", userId: "${id}" })`,
  remindOfTwoFactor: (slug) => `remindOfTwoFactor(input: { team: "${slug}", userId: "${id}" })`,
  endMemberSessions: (slug) => `endMemberSessions(input: { team: "${slug}", userId: "${id}" })`,
  removeMember: (slug) => `removeMember(input: { team: "${slug}", userId: "${id}" })`,
  leaveTeam: (slug) => `leaveTeam(input: { team: "${slug}" })`,
  inviteMember: (slug) => `inviteMember(input: { team: "${slug}", email: "evil@example.test", role: MEMBER })`,
  resendInvitation: () => `resendInvitation(input: { id: "${id}" })`,
  revokeInvitation: () => `revokeInvitation(input: { id: "${id}" })`,
  acceptInvitation: () => 'acceptInvitation(input: { token: "x" })',
  declineInvitation: () => 'declineInvitation(input: { token: "x" })',
  createTeamToken: (slug) => `createTeamToken(input: { team: "${slug}", name: "Evil", scopes: ["teams"] })`,
  createPersonalToken: () => 'createPersonalToken(input: { name: "Evil", scopes: ["teams"], expiresAt: "2026-12-01T00:00:00Z" })',
  rotateToken: () => `rotateToken(input: { id: "${id}" })`,
  updateToken: () => `updateToken(input: { id: "${id}", name: "x" })`,
  revokeToken: () => `revokeToken(input: { id: "${id}" })`,
  createTeamClient: (slug) => `createTeamClient(input: { team: "${slug}", name: "Evil", confidential: true, grantTypes: [] })`,
  updateTeamClient: () => 'updateTeamClient(input: { clientId: "evil", name: "Evil" })',
  submitTeamClient: () => 'submitTeamClient(input: { clientId: "evil" })',
  rotateTeamClientSecret: () => 'rotateTeamClientSecret(input: { clientId: "evil" })',
  revokeClientAccess: () => 'revokeClientAccess(input: { clientId: "evil" })',
  deleteTeamClient: () => 'deleteTeamClient(input: { clientId: "evil" })',
  createInitialAccessToken: (slug) => `createInitialAccessToken(input: { team: "${slug}" })`,
  deleteInitialAccessToken: () => `deleteInitialAccessToken(input: { id: "${id}" })`,
  openSupportSession: (slug) => `openSupportSession(input: { team: "${slug}", until: "2099-01-01T00:00:00Z" })`,
  openAccountSupportSession: () => 'openAccountSupportSession(input: { until: "2099-01-01T00:00:00Z" })',
  endSupportSession: () => `endSupportSession(input: { id: "${id}" })`,
  createWorkloadIdentity: (slug) =>
    `createWorkloadIdentity(input: { team: "${slug}", name: "Evil", issuer: "https://evil.example.com", conditions: [], scopes: ["teams"] })`,
  updateWorkloadIdentity: () => `updateWorkloadIdentity(input: { id: "${id}", name: "Evil" })`,
  deleteWorkloadIdentity: () => `deleteWorkloadIdentity(input: { id: "${id}" })`,
  setSignInRequirement: (slug) => `setSignInRequirement(input: { team: "${slug}" })`,
  openTeamAsOwner: (slug) => `openTeamAsOwner(input: { team: "${slug}", response: "{}" })`,
  allowAgentHost: (slug) => `allowAgentHost(input: { team: "${slug}", host: "evil.example" })`,
  removeAgentHost: (slug) => `removeAgentHost(input: { team: "${slug}", host: "evil.example" })`,
  addTeamDomain: (slug) => `addTeamDomain(input: { team: "${slug}", domain: "evil.example" })`,
  verifyTeamDomain: () => `verifyTeamDomain(input: { id: "${id}" })`,
  removeTeamDomain: () => `removeTeamDomain(input: { id: "${id}" })`,
  createIdentityProvider: (slug) =>
    `createIdentityProvider(input: { team: "${slug}", kind: OIDC, name: "Evil", issuer: "https://evil.example.com", clientId: "evil" })`,
  updateIdentityProvider: () => `updateIdentityProvider(input: { id: "${id}", name: "Evil" })`,
  deleteIdentityProvider: () => `deleteIdentityProvider(input: { id: "${id}" })`,
  disableIdentityProvider: () => `disableIdentityProvider(input: { id: "${id}" })`,
  enableIdentityProvider: () => `enableIdentityProvider(input: { id: "${id}" })`,
  setAgentAssertions: (slug) => `setAgentAssertions(input: { team: "${slug}", providerId: "${id}", enabled: true })`,
  createWebhook: (slug) => `createWebhook(input: { team: "${slug}", url: "https://evil.example.com" })`,
  updateWebhook: () => `updateWebhook(input: { id: "${id}", enabled: false })`,
  deleteWebhook: () => `deleteWebhook(input: { id: "${id}" })`,
  rotateWebhookSecret: () => `rotateWebhookSecret(input: { id: "${id}" })`,
  sendTestEvent: () => `sendTestEvent(input: { id: "${id}", type: TEAM_UPDATED })`,
  redeliver: () => `redeliver(input: { deliveryId: "${id}" })`,
  replayEvents: () => `replayEvents(input: { id: "${id}", since: "2026-01-01T00:00:00Z", until: "2026-02-01T00:00:00Z" })`,
  revokeGrant: () => `revokeGrant(input: { id: "${id}" })`,
  reduceGrantScopes: () => `reduceGrantScopes(input: { id: "${id}", scopes: ["openid"] })`,
  revokeTokenTeamAccess: (slug) => `revokeTokenTeamAccess(input: { team: "${slug}", tokenId: "${id}" })`,
  revokeGrantTeamAccess: (slug) => `revokeGrantTeamAccess(input: { team: "${slug}", grantId: "${id}" })`,
  approveClient: () => 'approveClient(input: { clientId: "evil" })',
  rejectClient: () => 'rejectClient(input: { clientId: "evil", reason: "x" })',
  createClient: () => 'createClient(input: { name: "Evil", confidential: true, grantTypes: ["authorization_code"] })',
  updateClient: () => 'updateClient(input: { clientId: "evil", name: "Evil" })',
  rotateClientSecret: () => 'rotateClientSecret(input: { clientId: "evil" })',
  disableClient: () => 'disableClient(input: { clientId: "evil" })',
  enableClient: () => 'enableClient(input: { clientId: "evil" })',
  deleteClient: () => 'deleteClient(input: { clientId: "evil" })',
  rotateSigningKeys: () => 'rotateSigningKeys(input: { publishSeconds: 0 })',
  confirmTotp: () => 'confirmTotp(input: { encrypted: "x", code: "000000" })',
  moveTotp: () => 'moveTotp(input: { encrypted: "x", code: "000000" })',
  regenerateRecoveryCodes: () => 'regenerateRecoveryCodes',
  requirePasskey: () => 'requirePasskey',
  disableSecondFactor: () => 'disableSecondFactor',
  registerPasskey: () => 'registerPasskey(input: { name: "Evil", response: "{}" })',
  renamePasskey: () => `renamePasskey(input: { id: "${id}", name: "Evil" })`,
  deletePasskey: () => `deletePasskey(input: { id: "${id}" })`,
  revokeSession: () => `revokeSession(input: { id: "${id}" })`,
  unlinkIdentity: () => `unlinkIdentity(input: { id: "${id}" })`,
  revokeTrustedDevice: () => `revokeTrustedDevice(input: { id: "${id}" })`,
  revokeOtherSessions: () => 'revokeOtherSessions',
  signIn: () => 'signIn(input: { email: "evil@example.test", password: "correct horse" })',
  signInWithPasskey: () => 'signInWithPasskey(input: { response: "{}" })',
  completeSignIn: () => 'completeSignIn(input: { code: "000000" })',
  completeSignInWithPasskey: () => 'completeSignInWithPasskey(input: { response: "{}" })',
  confirmSignIn: () => 'confirmSignIn(input: { password: "correct horse" })',
  confirmSignInWithPasskey: () => 'confirmSignInWithPasskey(input: { response: "{}" })',
  beginProviderSignIn: () => 'beginProviderSignIn(input: { provider: "google", purpose: SIGN_IN, returnTo: "/" })',
  finishProviderSignIn: () => 'finishProviderSignIn(input: { provider: "google", answer: "" })',
  requestAccountProof: () => 'requestAccountProof',
  proveAccount: () => 'proveAccount(input: { token: "x" })',
  linkProviderSignIn: () => 'linkProviderSignIn(input: { request: "x" })',
  createProviderAccount: () => 'createProviderAccount(input: { request: "x" })',
  signUp: () => 'signUp(input: { email: "evil@example.test", name: "Evil", password: "correct horse" })',
  resendSignUp: () => 'resendSignUp',
  completeSignUp: () => 'completeSignUp(input: { token: "x" })',
  requestSignInCode: () => 'requestSignInCode(input: { email: "evil@example.test" })',
  signInWithCode: () => 'signInWithCode(input: { code: "123456" })',
  requestPasswordReset: () => 'requestPasswordReset(input: { email: "evil@example.test" })',
  resetPassword: () => 'resetPassword(input: { token: "x", password: "correct horse" })',
  verifyEmail: () => 'verifyEmail(input: { token: "x" })',
  resendVerification: () => 'resendVerification',
  requestEmailChange: () => 'requestEmailChange(input: { email: "evil@example.test" })',
  cancelEmailChange: () => 'cancelEmailChange',
  confirmEmailChange: () => 'confirmEmailChange(input: { token: "x" })',
  changePassword: () => 'changePassword(input: { newPassword: "correct horse" })',
  updateProfile: () => 'updateProfile(input: { name: "Evil" })',
  updateNotifications: () => 'updateNotifications(input: { off: [] })',
  deleteAccount: () => 'deleteAccount',
  exportAccount: () => 'exportAccount',
  exportUser: () => 'exportUser(input: { email: "evil@example.test" })',
  createUser: () => 'createUser(input: { email: "evil@example.test", name: "Evil" })',
  setStaff: () => 'setStaff(input: { email: "evil@example.test", isStaff: true })',
  endUserSessions: () => 'endUserSessions(input: { email: "evil@example.test" })',
  resendUserVerification: () => 'resendUserVerification(input: { email: "evil@example.test" })',
  retryMail: () => `retryMail(input: { id: "${id}" })`,
  disableUser: () => 'disableUser(input: { email: "evil@example.test" })',
  enableUser: () => 'enableUser(input: { email: "evil@example.test" })',
  resetSecondFactor: () => 'resetSecondFactor(input: { email: "evil@example.test" })',
  deleteUser: () => 'deleteUser(input: { email: "evil@example.test" })',
}
const fields = Object.values(schema.getMutationType()?.getFields() ?? {})

/** Slug that shows whether a call contains its team, before the team exists. */
const placeholder = 'the-team'

describe.each(fields.map((field) => [field.name, field] as const))('%s', (name, field) => {
  const requires = findRequirement(field.extensions)
  let team: Team
  let owner: User
  let call: string
  beforeAll(async () => {
    ;({ team, owner } = await createOwnedTeam(database))
    call = calls[name]?.(team.slug) ?? ''
  })
  const codeFor = async (token: string) => {
    const { errors } = await graphql(service, token, `mutation { ${call} { __typename } }`)
    return errors[0]?.extensions?.code
  }

  if (requires?.authenticationMethod && !requires.authenticationMethod.includes('personal_token'))
    test('rejects personal tokens and the credentials of the team', async () => {
      const code = requires.authenticationMethod?.length === 0 ? 'operator_only' : 'session_required'
      expect(await codeFor(await personalToken(database, owner))).toBe(code)
      for (const create of teamCredentials) expect(await codeFor(await create(database, team))).toBe(code)
    })
  else
    test('rejects tokens with every scope except its own', async () => {
      const scopes = tokenScopes.filter((scope) => !requires?.scopes.includes(scope))
      expect(await codeFor(await personalToken(database, owner, { scopes }))).toBe('insufficient_scope')
      const isOfPerson = requires?.authenticationMethod && !requires.authenticationMethod.includes('team_token')
      for (const create of teamCredentials)
        expect(await codeFor(await create(database, team, { scopes }))).toBe(isOfPerson ? 'session_required' : 'insufficient_scope')
    })

  if (requires?.roles && (calls[name]?.(placeholder) ?? '').includes(placeholder)) {
    test('rejects the owner and the credentials of another team', async () => {
      const other = await createOwnedTeam(database)
      expect(await codeFor(other.token)).toBe('team_forbidden')
      for (const create of teamCredentials) expect(await codeFor(await create(database, other.team))).toBe('team_forbidden')
    })

    test('rejects the other roles in a session', async () => {
      const otherRoles = (['member', 'billing'] as const).filter((role) => !requires.roles?.includes(role))
      for (const role of otherRoles) {
        const user = await createUser(database)
        await join(database, team, user, role)
        const { refusal } = await executeAs(service, await sessionOf(service, user), `mutation { ${call} { __typename } }`)
        expect(refusal?.code).toBe('role_required')
      }
    })
  }
})
