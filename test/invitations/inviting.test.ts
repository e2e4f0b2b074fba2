import { describe, expect, test } from 'vitest'
import { invite, findPendingInvitation } from '../support/data/invitation.ts'
import { startService, useService } from '../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../support/data/team.ts'

const service = useService()
const { database, clock, mails } = service

const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const day = 86_400_000
const mailsOf = async (email: string) => {
  const rows = await database.prisma.invitation.findMany({ where: { email } })
  return mails.filter((mail) => mail.kind === 'invitation').filter(({ invitationId }) => rows.some(({ id }) => id === invitationId))
}
const guestAddress = () => `${unique('guest')}@example.test`

describe('POST /v1/teams/{teamSlug}/invitations', () => {
  test('creates the invitation, one mail and one audit entry, and returns 204 without a body', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const email = guestAddress()
    const { status, body, headers } = await invite(service, team.slug, token, {
      email: `  ${email.toUpperCase()} `,
      role: 'billing',
      accessible_app_ids: ['deploy', 'cert'],
    })
    expect([status, body, headers.get('x-accepted-scopes')]).toEqual([204, null, 'acct:team:invitations:write'])
    const invitation = await findPendingInvitation(service, email)
    expect(invitation).toMatchObject({
      teamId: team.id,
      role: 'billing',
      allApplications: false,
      applications: ['deploy', 'cert'],
      invitedById: owner.id,
      invitedByTokenId: null,
    })
    expect(invitation.expiresAt.getTime() - invitation.sentAt.getTime()).toBe(7 * day)
    expect(await mailsOf(email)).toEqual([
      { kind: 'invitation', invitationId: invitation.id, nonce: Buffer.from(invitation.nonce).toString('base64url') },
    ])
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id } })
    expect(entries).toMatchObject([
      {
        action: 'inviteMember',
        subject: invitation.id,
        subjectName: email,
        actorUserId: owner.id,
        authenticationMethod: 'personal_token',
        before: null,
        after: { role: 'billing', accessibleAppIds: ['deploy', 'cert'], renewed: false },
      },
    ])
  })

  test.each([
    [undefined, true, []],
    [null, true, []],
    [[], false, []],
  ])('accepts accessible_app_ids %j', async (accessible_app_ids, allApplications, applications) => {
    const { team, token } = await createOwnedTeam(database)
    const email = guestAddress()
    expect((await invite(service, team.slug, token, { email, role: 'member', accessible_app_ids })).status).toBe(204)
    expect(await findPendingInvitation(service, email)).toMatchObject({ allApplications, applications })
  })

  const invalidEmail = { email: ['The email field must be a valid email address.'] }
  test.each([
    [{ role: 'member' }, { email: ['The email field is required.'] }],
    [{ email: 'a@b.test' }, { role: ['The role field is required.'] }],
    [{}, { email: ['The email field is required.'], role: ['The role field is required.'] }],
    [{ email: 'invalid', role: 'member' }, invalidEmail],
    [{ email: 'a@b.test\r\nBcc: eve@evil.test', role: 'member' }, invalidEmail],
    [{ email: 'a@b.test', role: 'admin' }, { role: ['The selected role is invalid.'] }],
    [
      { email: 'a@b.test', role: 'member', accessible_app_ids: ['x'] },
      { 'accessible_app_ids.0': ['The selected accessible app ids.0 is invalid.'] },
    ],
  ])('returns 422 and sends no mail with the body %j', async (terms, errors) => {
    const { team, token } = await createOwnedTeam(database)
    const count = mails.length
    const { status, body } = await invite(service, team.slug, token, terms)
    const messages = Object.values(errors as Record<string, string[]>).flat()
    const message = messages.length > 1 ? `${messages[0]} (and 1 more error)` : messages[0]
    expect([status, body]).toEqual([422, { message, errors, code: 'validation_failed', request_id: uuid }])
    expect(mails).toHaveLength(count)
    expect(await database.prisma.invitation.count({ where: { teamId: team.id } })).toBe(0)
  })

  test('returns 422 already_member for the address of a member', async () => {
    const { team, owner, token } = await createOwnedTeam(database)
    const { status, body } = await invite(service, team.slug, token, { email: owner.email.toUpperCase(), role: 'member' })
    const message = 'This user already belongs to the team.'
    expect([status, body]).toEqual([422, { message, errors: { email: [message] }, code: 'already_member', request_id: uuid }])
  })

  test('accepts a team token as the inviter, except for the role owner', async () => {
    const { team } = await createOwnedTeam(database)
    const token = await teamToken(database, team)
    const email = guestAddress()
    const rejected = await invite(service, team.slug, token, { email, role: 'owner' })
    expect([rejected.status, rejected.body]).toEqual([
      403,
      { message: 'This action is unauthorized.', code: 'role_required', request_id: uuid },
    ])
    expect((await invite(service, team.slug, token, { email, role: 'member' })).status).toBe(204)
    const { id } = await database.prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    expect(await findPendingInvitation(service, email)).toMatchObject({ role: 'member', invitedById: null, invitedByTokenId: id })
  })

  test.each(['member', 'billing'] as const)('returns 403 role_required for a user with the role %s', async (role) => {
    const { team } = await createOwnedTeam(database)
    const user = await createUser(database)
    await join(database, team, user, role)
    const { status, body } = await invite(service, team.slug, await personalToken(database, user), {
      email: guestAddress(),
      role: 'member',
    })
    expect([status, body.code]).toEqual([403, 'role_required'])
  })

  test('sets the expiry to INVITATION_DAYS after the invitation was sent', async () => {
    const shortLived = await startService({ invitationDays: 2 })
    const { team, token } = await createOwnedTeam(shortLived.database)
    const email = guestAddress()
    expect((await invite(shortLived, team.slug, token, { email, role: 'member' })).status).toBe(204)
    const { expiresAt, sentAt } = await findPendingInvitation(shortLived, email)
    expect(expiresAt.getTime() - sentAt.getTime()).toBe(2 * day)
  })
})

describe('a second invitation to an address', () => {
  test('renews the pending invitation with the new role, applications, inviter and expiry, and sends a second mail', async () => {
    const { team, token } = await createOwnedTeam(database)
    const second = await createUser(database)
    await join(database, team, second, 'owner')
    const email = guestAddress()
    await invite(service, team.slug, token, { email, role: 'member', accessible_app_ids: ['flow'] })
    const first = await findPendingInvitation(service, email)
    clock.advance(day)
    await invite(service, team.slug, await personalToken(database, second), { email, role: 'owner' })
    const [renewed, ...others] = await database.prisma.invitation.findMany({ where: { email } })
    expect(others).toEqual([])
    expect(renewed).toMatchObject({
      id: first.id,
      status: 'pending',
      role: 'owner',
      allApplications: true,
      applications: [],
      invitedById: second.id,
      createdAt: first.createdAt,
    })
    expect(renewed?.expiresAt.getTime()).toBeGreaterThanOrEqual(first.expiresAt.getTime() + day)
    expect(renewed?.tokenHash).not.toEqual(first.tokenHash)
    expect(new Set((await mailsOf(email)).map(({ nonce }) => nonce)).size).toBe(2)
  })

  test('creates a new pending invitation after the first one expired', async () => {
    const { team, token } = await createOwnedTeam(database)
    const email = guestAddress()
    await invite(service, team.slug, token, { email, role: 'member' })
    clock.advance(7 * day)
    expect((await invite(service, team.slug, token, { email, role: 'member' })).status).toBe(204)
    const rows = await database.prisma.invitation.findMany({ where: { email }, orderBy: { createdAt: 'asc' } })
    expect(rows.map(({ status }) => status)).toEqual(['expired', 'pending'])
  })

  test('leaves one pending invitation, for which a mail was sent, if four requests are concurrent', async () => {
    const { team, token } = await createOwnedTeam(database)
    const second = await createUser(database)
    await join(database, team, second, 'owner')
    const tokens = [token, await personalToken(database, second)]
    for (let round = 0; round < 10; round++) {
      const email = guestAddress()
      const responses = await Promise.all(
        [0, 1, 0, 1].map((index) => invite(service, team.slug, tokens[index] ?? '', { email, role: 'member' })),
      )
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204, 204])
      const rows = await database.prisma.invitation.findMany({ where: { email } })
      expect(rows.map(({ status }) => status)).toEqual(['pending'])
      expect((await mailsOf(email)).map(({ nonce }) => nonce)).toContain(Buffer.from(rows[0]?.nonce ?? []).toString('base64url'))
    }
  })
})
