import { describe, expect, test } from 'vitest'
import { schema } from '../../schema/index.ts'
import type { Requirement } from '../../schema/requires.ts'
import { tokenScopes } from '../../schema/scopes.ts'
import { graphql } from '../support/graphql.ts'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'

const service = await startService()
const { database } = service
const { prisma } = database
const id = '00000000-0000-4000-8000-000000000000'

/** A call of every mutation that is valid in form, for credentials that must not be enough. */
const calls: Record<string, (slug: string) => string> = {
  updateTeam: (slug) => `updateTeam(input: { team: "${slug}", name: "Evil" })`,
  createTeam: () => 'createTeam(input: { slug: "evil", name: "Evil" })',
  updateMember: (slug) => `updateMember(input: { team: "${slug}", userId: "${id}", role: OWNER })`,
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
  revokeToken: () => `revokeToken(input: { id: "${id}" })`,
  revokeGrant: () => `revokeGrant(input: { id: "${id}" })`,
  narrowGrant: () => `narrowGrant(input: { id: "${id}", scopes: ["openid"] })`,
  cutTeamFromToken: (slug) => `cutTeamFromToken(input: { team: "${slug}", tokenId: "${id}" })`,
  cutTeamFromGrant: (slug) => `cutTeamFromGrant(input: { team: "${slug}", grantId: "${id}" })`,
  createClient: () => 'createClient(input: { name: "Evil", confidential: true, grantTypes: ["authorization_code"] })',
  updateClient: () => 'updateClient(input: { clientId: "evil", name: "Evil" })',
  rotateClientSecret: () => 'rotateClientSecret(input: { clientId: "evil" })',
  disableClient: () => 'disableClient(input: { clientId: "evil" })',
  enableClient: () => 'enableClient(input: { clientId: "evil" })',
  deleteClient: () => 'deleteClient(input: { clientId: "evil" })',
  rotateSigningKeys: () => 'rotateSigningKeys(input: { publishSeconds: 0 })',
  confirmTotp: () => 'confirmTotp(input: { sealed: "x", code: "000000" })',
  regenerateRecoveryCodes: () => 'regenerateRecoveryCodes',
  requirePasskey: () => 'requirePasskey',
  disableSecondFactor: () => 'disableSecondFactor',
  registerPasskey: () => 'registerPasskey(input: { name: "Evil", response: "{}" })',
  renamePasskey: () => `renamePasskey(input: { id: "${id}", name: "Evil" })`,
  deletePasskey: () => `deletePasskey(input: { id: "${id}" })`,
  revokeSession: () => `revokeSession(input: { id: "${id}" })`,
  revokeOtherSessions: () => 'revokeOtherSessions',
  signUp: () => 'signUp(input: { email: "evil@example.test", name: "Evil", password: "correct horse" })',
  requestPasswordReset: () => 'requestPasswordReset(input: { email: "evil@example.test" })',
  resetPassword: () => 'resetPassword(input: { token: "x", password: "correct horse" })',
  verifyEmail: () => 'verifyEmail(input: { token: "x" })',
  resendVerification: () => 'resendVerification',
  requestEmailChange: () => 'requestEmailChange(input: { email: "evil@example.test" })',
  confirmEmailChange: () => 'confirmEmailChange(input: { token: "x" })',
  changePassword: () => 'changePassword(input: { newPassword: "correct horse" })',
  updateProfile: () => 'updateProfile(input: { name: "Evil" })',
  deleteAccount: () => 'deleteAccount',
  createUser: () => 'createUser(input: { email: "evil@example.test", name: "Evil" })',
  disableUser: () => 'disableUser(input: { email: "evil@example.test" })',
  enableUser: () => 'enableUser(input: { email: "evil@example.test" })',
  resetSecondFactor: () => 'resetSecondFactor(input: { email: "evil@example.test" })',
  deleteUser: () => 'deleteUser(input: { email: "evil@example.test" })',
}
const fields = Object.values(schema.getMutationType()?.getFields() ?? {})

describe.each(fields.map((field) => [field.name, field] as const))('%s', async (name, field) => {
  const requires = field.extensions.requires as Requirement | undefined
  const { team, owner } = await createOwnedTeam(database)
  const call = calls[name]?.(team.slug) ?? ''
  const codeFor = async (token: string) => {
    const { errors } = await graphql(service, token, `mutation { ${call} { __typename } }`)
    return errors[0]?.extensions?.code
  }

  if (requires?.via && !requires.via.includes('personal_token'))
    test('no token of any kind is enough', async () => {
      expect(await codeFor(await personalToken(database, owner))).toBe('insufficient_scope')
      expect(await codeFor(await teamToken(database, team))).toBe('insufficient_scope')
    })
  else
    test('every scope but its own is not enough', async () => {
      const scopes = tokenScopes.filter((scope) => !requires?.scopes.includes(scope))
      expect(await codeFor(await personalToken(database, owner, { scopes }))).toBe('insufficient_scope')
      expect(await codeFor(await teamToken(database, team, { scopes }))).toBe('insufficient_scope')
    })

  if (requires?.roles && call.includes(team.slug)) {
    test('another team’s owner is not enough', async () => {
      const other = await createOwnedTeam(database)
      expect(await codeFor(other.token)).toBe('team_forbidden')
      expect(await codeFor(await teamToken(database, other.team))).toBe('team_forbidden')
    })

    test('another role is not enough, in a session neither', async () => {
      for (const role of ['member', 'billing'] as const) {
        const user = await createUser(database)
        await join(database, team, user, role)
        const { refusal } = await executeAs(service, await sessionOf(service, user), `mutation { ${call} { __typename } }`)
        expect(refusal?.code).toBe('role_required')
      }
    })
  }
})

describe('the last owner, with many at once', () => {
  const demote = (slug: string, userId: string) =>
    `mutation { updateMember(input: { team: "${slug}", userId: "${userId}", role: MEMBER }) { member { id } } }`
  const remove = (slug: string, userId: string) =>
    `mutation { removeMember(input: { team: "${slug}", userId: "${userId}" }) { member { id } } }`

  test.each([
    ['demoting each other', demote, demote],
    ['removing each other', remove, remove],
    ['demoting and removing', demote, remove],
  ])(
    'two owners %s at the same instant, 50 times: one succeeds, one is refused, one owner stays',
    { timeout: 60_000 },
    async (_, first, second) => {
      for (let round = 0; round < 50; round++) {
        const { team, owner, token } = await createOwnedTeam(database)
        const other = await createUser(database)
        await join(database, team, other, 'owner')
        const theirs = await personalToken(database, other)
        const answers = await Promise.all([
          graphql(service, token, first(team.slug, other.id)),
          graphql(service, theirs, second(team.slug, owner.id)),
        ])
        const codes = answers.map(({ errors }) => errors[0]?.extensions?.code ?? 'done').toSorted()
        // Who comes second is refused as the last owner, or, authenticated after the first, has lost role or team.
        expect(codes[0]).toBe('done')
        expect(['last_owner', 'role_required', 'team_forbidden']).toContain(codes[1])
        expect(await prisma.member.count({ where: { teamId: team.id, role: 'owner' } })).toBe(1)
      }
    },
  )

  test('an account that is a team’s last owner is not deleted', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const document = 'mutation ($email: String!) { deleteUser(input: { email: $email }) { user { id } } }'
    expect((await executeAs(service, operator, document, { email: owner.email })).refusal?.code).toBe('last_owner')
    await join(database, team, await createUser(database), 'owner')
    expect((await executeAs(service, operator, document, { email: owner.email })).refusal).toBeNull()
    expect(await prisma.user.count({ where: { id: owner.id } })).toBe(0)
  })
})

test('a slug or address that is taken is refused, also when two ask at once', async () => {
  const { slug } = await createTeam(database)
  const { email } = await createUser(database)
  const createTeamOf = 'mutation ($slug: String!) { createTeam(input: { slug: $slug, name: "T" }) { team { slug } } }'
  const createUserOf = 'mutation ($email: String!) { createUser(input: { email: $email, name: "N" }) { user { id } } }'
  expect((await executeAs(service, operator, createTeamOf, { slug })).refusal?.details.errors).toEqual({
    slug: ['The slug has already been taken.'],
  })
  expect((await executeAs(service, operator, createUserOf, { email: ` ${email.toUpperCase()}` })).refusal?.details.errors).toEqual({
    email: ['The email has already been taken.'],
  })
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => executeAs(service, operator, createTeamOf, { slug: `${slug}-2` })))
  expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
})
