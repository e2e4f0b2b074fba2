import { beforeAll, describe, expect, test } from 'vitest'
import { schema } from '../../../schema/index.ts'
import { requirementOf } from '../../../schema/core/requires.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import { graphql } from '../../support/http/graphql.ts'
import { mutate } from '../../support/http/mutate.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../../support/data/team.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const { prisma } = database
const id = '00000000-0000-4000-8000-000000000000'

/** A well-formed call of every mutation, for credentials that must not be sufficient. */
const calls: Record<string, (slug: string) => string> = {
  updateTeam: (slug) => `updateTeam(input: { team: "${slug}", name: "Evil" })`,
  createTeam: () => 'createTeam(input: { slug: "evil", name: "Evil" })',
  deleteTeam: (slug) => `deleteTeam(input: { team: "${slug}", confirmSlug: "${slug}" })`,
  restoreTeam: (slug) => `restoreTeam(input: { team: "${slug}" })`,
  setTwoFactorRequirement: (slug) => `setTwoFactorRequirement(input: { team: "${slug}", graceDays: 0 })`,
  transferOwnership: (slug) => `transferOwnership(input: { team: "${slug}", newOwner: "evil@example.test", role: MEMBER })`,
  exportAuditLog: (slug) => `exportAuditLog(input: { team: "${slug}" })`,
  updateMember: (slug) => `updateMember(input: { team: "${slug}", userId: "${id}", role: OWNER })`,
  remindOfTwoFactor: (slug) => `remindOfTwoFactor(input: { team: "${slug}", userId: "${id}" })`,
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
  revokeTrustedDevice: () => `revokeTrustedDevice(input: { id: "${id}" })`,
  revokeOtherSessions: () => 'revokeOtherSessions',
  signIn: () => 'signIn(input: { email: "evil@example.test", password: "correct horse" })',
  signInWithPasskey: () => 'signInWithPasskey(input: { response: "{}" })',
  completeSignIn: () => 'completeSignIn(input: { code: "000000" })',
  completeSignInWithPasskey: () => 'completeSignInWithPasskey(input: { response: "{}" })',
  confirmSignIn: () => 'confirmSignIn(input: { password: "correct horse" })',
  confirmSignInWithPasskey: () => 'confirmSignInWithPasskey(input: { response: "{}" })',
  signUp: () => 'signUp(input: { email: "evil@example.test", name: "Evil", password: "correct horse" })',
  resendSignUp: () => 'resendSignUp',
  completeSignUp: () => 'completeSignUp(input: { token: "x" })',
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
  disableUser: () => 'disableUser(input: { email: "evil@example.test" })',
  enableUser: () => 'enableUser(input: { email: "evil@example.test" })',
  resetSecondFactor: () => 'resetSecondFactor(input: { email: "evil@example.test" })',
  deleteUser: () => 'deleteUser(input: { email: "evil@example.test" })',
}
const fields = Object.values(schema.getMutationType()?.getFields() ?? {})

/** Slug that shows whether a call contains its team, before the team exists. */
const placeholder = 'the-team'

describe.each(fields.map((field) => [field.name, field] as const))('%s', (name, field) => {
  const requires = requirementOf(field.extensions)
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
    test('rejects personal tokens and team tokens', async () => {
      const code = requires.authenticationMethod?.length === 0 ? 'operator_only' : 'session_required'
      expect(await codeFor(await personalToken(database, owner))).toBe(code)
      expect(await codeFor(await teamToken(database, team))).toBe(code)
    })
  else
    test('rejects tokens with every scope except its own', async () => {
      const scopes = tokenScopes.filter((scope) => !requires?.scopes.includes(scope))
      expect(await codeFor(await personalToken(database, owner, { scopes }))).toBe('insufficient_scope')
      const isOfPerson = requires?.authenticationMethod && !requires.authenticationMethod.includes('team_token')
      expect(await codeFor(await teamToken(database, team, { scopes }))).toBe(isOfPerson ? 'session_required' : 'insufficient_scope')
    })

  if (requires?.roles && (calls[name]?.(placeholder) ?? '').includes(placeholder)) {
    test('rejects the owner and the team token of another team', async () => {
      const other = await createOwnedTeam(database)
      expect(await codeFor(other.token)).toBe('team_forbidden')
      expect(await codeFor(await teamToken(database, other.team))).toBe('team_forbidden')
    })

    test('rejects the roles member and billing in a session', async () => {
      for (const role of ['member', 'billing'] as const) {
        const user = await createUser(database)
        await join(database, team, user, role)
        const { refusal } = await executeAs(service, await sessionOf(service, user), `mutation { ${call} { __typename } }`)
        expect(refusal?.code).toBe('role_required')
      }
    })
  }
})

describe('the last owner of a team', () => {
  const demote = (slug: string, userId: string) =>
    `mutation { updateMember(input: { team: "${slug}", userId: "${userId}", role: MEMBER }) { member { id: userId } } }`
  const remove = (slug: string, userId: string) =>
    `mutation { removeMember(input: { team: "${slug}", userId: "${userId}" }) { member { id: userId } } }`

  test.each([
    ['demote each other', demote, demote],
    ['remove each other', remove, remove],
    ['demote and remove each other', demote, remove],
  ])('remains when two owners %s concurrently, in 50 rounds', { timeout: 60_000 }, async (_, first, second) => {
    for (let round = 0; round < 50; round++) {
      const { team, owner, token } = await createOwnedTeam(database)
      const other = await createUser(database)
      await join(database, team, other, 'owner')
      const otherToken = await personalToken(database, other)
      const responses = await Promise.all([
        mutate(service, token, first(team.slug, other.id)),
        mutate(service, otherToken, second(team.slug, owner.id)),
      ])
      const codes = responses.map(({ refusal }) => refusal?.code ?? 'done').toSorted()
      // The second request is rejected as the last owner. If it authenticates after the first, its role or team is gone.
      expect(codes[0]).toBe('done')
      expect(['last_owner', 'role_required', 'team_forbidden']).toContain(codes[1])
      expect(await prisma.member.count({ where: { teamId: team.id, role: 'owner' } })).toBe(1)
    }
  })

  test('cannot be deleted as a user until the team has another owner', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const document = 'mutation ($email: String!) { deleteUser(input: { email: $email }) { user { id: userId } } }'
    expect((await executeAs(service, operator, document, { email: owner.email })).refusal?.code).toBe('last_owner')
    await join(database, team, await createUser(database), 'owner')
    expect((await executeAs(service, operator, document, { email: owner.email })).refusal).toBeNull()
    expect(await prisma.user.count({ where: { id: owner.id } })).toBe(0)
  })
})

test('createTeam and createUser reject a slug or email address that is taken, also in concurrent requests', async () => {
  const { slug } = await createTeam(database)
  const { email } = await createUser(database)
  const createTeamOf = 'mutation ($slug: String!) { createTeam(input: { slug: $slug, name: "T" }) { team { slug } } }'
  const createUserOf = 'mutation ($email: String!) { createUser(input: { email: $email, name: "N" }) { user { id: userId } } }'
  expect((await executeAs(service, operator, createTeamOf, { slug })).refusal?.details.errors).toEqual({
    slug: ['The slug has already been taken.'],
  })
  expect((await executeAs(service, operator, createUserOf, { email: ` ${email.toUpperCase()}` })).refusal?.details.errors).toEqual({
    email: ['The email has already been taken.'],
  })
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => executeAs(service, operator, createTeamOf, { slug: `${slug}-2` })))
  expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
})
