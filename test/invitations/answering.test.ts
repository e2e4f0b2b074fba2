import { describe, expect, test } from 'vitest'
import { invite, createInvitedGuest, findPendingInvitation } from '../support/data/invitation.ts'
import { lastSecret } from '../support/mail/links.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'
import { createUser, join, personalToken, teamToken } from '../support/data/team.ts'
import { accept, decline, executeOperation, revoke } from '../support/graphql/invitation-operations.ts'

const service = useService()
const { database, clock } = service
const day = 86_400_000

const membersOf = (teamId: string) => database.prisma.member.findMany({ where: { teamId, role: { not: 'owner' } } })
const alreadyAnswered = (status: string) => ({ code: 'validation_failed', errors: { token: [`The invitation is ${status}.`] } })
const otherAddress = {
  code: 'validation_failed',
  errors: { email: ['This invitation is for another email address. Sign in with that address and verify it.'] },
}

describe('acceptInvitation', () => {
  test('makes the invited user a member with the invited role and applications, and writes one audit entry', async () => {
    const { team, guest, guestToken, invitation } = await createInvitedGuest(service, { role: 'billing', accessible_app_ids: ['cert'] })
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token: guestToken })).status).toBe(403)
    const { data, refusal } = await executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) })
    expect(refusal).toBeNull()
    expect(data.acceptInvitation).toEqual({
      invitation: {
        id: invitation.id,
        email: guest.email,
        role: 'BILLING',
        accessibleAppIds: ['CERT'],
        status: 'ACCEPTED',
        expiresAt: invitation.expiresAt.toISOString(),
        answeredAt: expect.stringMatching(/Z$/),
      },
      team: { slug: team.slug },
    })
    expect(await membersOf(team.id)).toMatchObject([{ userId: guest.id, role: 'billing', allApplications: false, applications: ['cert'] }])
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token: guestToken })).status).toBe(200)
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'acceptInvitation' } })
    expect(entries).toMatchObject([{ subject: guest.id, actorUserId: guest.id, after: { role: 'billing', accessibleAppIds: ['cert'] } }])
  })

  test('succeeds only once', async () => {
    const { team, guestToken, invitation } = await createInvitedGuest(service)
    const token = lastSecret(service, invitation.id)
    await executeOperation(service, guestToken, accept, { token })
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toEqual(alreadyAnswered('accepted'))
    expect((await executeOperation(service, guestToken, decline, { token })).refusal).toEqual(alreadyAnswered('accepted'))
    expect(await membersOf(team.id)).toHaveLength(1)
  })

  test('creates one member if 50 requests are concurrent', async () => {
    const { team, guestToken, invitation } = await createInvitedGuest(service)
    const token = lastSecret(service, invitation.id)
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => executeOperation(service, guestToken, accept, { token })))
    expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
    expect(outcomes.filter(({ refusal }) => refusal !== null).map(({ refusal }) => refusal)).toEqual(
      Array.from({ length: 49 }, () => alreadyAnswered('accepted')),
    )
    expect(await membersOf(team.id)).toHaveLength(1)
    expect(await database.prisma.auditEntry.count({ where: { teamId: team.id, action: 'acceptInvitation' } })).toBe(1)
  })

  test('makes the invited user an owner if an owner invited with that role', async () => {
    const { team, guest, guestToken, invitation } = await createInvitedGuest(service, { role: 'owner' })
    await executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) })
    expect(await database.prisma.member.findUnique({ where: { teamId_userId: { teamId: team.id, userId: guest.id } } })).toMatchObject({
      role: 'owner',
    })
  })

  test('and declineInvitation reject another user who has the link', async () => {
    const { team, invitation } = await createInvitedGuest(service)
    const other = await personalToken(database, await createUser(database))
    const token = lastSecret(service, invitation.id)
    for (const operation of [accept, decline])
      expect((await executeOperation(service, other, operation, { token })).refusal).toEqual(otherAddress)
    expect(await membersOf(team.id)).toEqual([])
    expect(await findPendingInvitation(service, invitation.email)).toMatchObject({ id: invitation.id })
  })

  test('requires a verified email address', async () => {
    const { guest, guestToken, invitation } = await createInvitedGuest(service, {}, { emailVerified: false })
    const token = lastSecret(service, invitation.id)
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toEqual(otherAddress)
    await database.prisma.user.update({ where: { id: guest.id }, data: { emailVerified: true } })
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toBeNull()
  })

  test('rejects a team token, a token without the scope and an invalid token', async () => {
    const { team, guest, invitation } = await createInvitedGuest(service)
    const token = lastSecret(service, invitation.id)
    expect((await executeOperation(service, await teamToken(database, team), accept, { token })).refusal?.code).toBe('session_required')
    const narrow = await personalToken(database, guest, { scopes: ['acct:team:members:write'] })
    expect((await executeOperation(service, narrow, accept, { token })).refusal?.code).toBe('insufficient_scope')
    expect((await executeOperation(service, 'pat_invalid', accept, { token })).refusal?.code).toBe('unauthenticated')
  })

  test('returns already_member for a user who has joined in the meantime', async () => {
    const { team, guest, guestToken, invitation } = await createInvitedGuest(service)
    await join(database, team, guest, 'member')
    const { refusal } = await executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) })
    expect(refusal).toEqual({ code: 'already_member', errors: { email: ['This user already belongs to the team.'] } })
  })
})

describe('an invitation link', () => {
  test.each(['', 'unknown', 'a\0b', '\ud800', 'x'.repeat(10_000)])('with the unknown token %j returns not_found', async (token) => {
    const userToken = await personalToken(database, await createUser(database))
    for (const operation of [accept, decline])
      expect((await executeOperation(service, userToken, operation, { token })).refusal).toEqual({ code: 'not_found' })
  })

  test('is invalid after a renewal, and the new link grants the new role and applications', async () => {
    const { team, token, email, guestToken, invitation } = await createInvitedGuest(service)
    const old = lastSecret(service, invitation.id)
    expect((await invite(service, team.slug, token, { email, role: 'billing', accessible_app_ids: ['flow'] })).status).toBe(204)
    expect((await executeOperation(service, guestToken, accept, { token: old })).refusal).toEqual({ code: 'not_found' })
    const { refusal } = await executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) })
    expect(refusal).toBeNull()
    expect(await membersOf(team.id)).toMatchObject([{ role: 'billing', applications: ['flow'] }])
  })

  test('cannot be accepted after it was declined', async () => {
    const { team, guest, guestToken, invitation } = await createInvitedGuest(service)
    const token = lastSecret(service, invitation.id)
    const { data } = await executeOperation(service, guestToken, decline, { token })
    expect(data.declineInvitation.invitation).toMatchObject({ id: invitation.id, status: 'DECLINED' })
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toEqual(alreadyAnswered('declined'))
    expect(await membersOf(team.id)).toEqual([])
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'declineInvitation' } })
    expect(entries).toMatchObject([{ subject: invitation.id, subjectName: guest.email, after: { status: 'declined' } }])
  })

  test('cannot be accepted after it was revoked', async () => {
    const { token: ownerToken, guestToken, invitation } = await createInvitedGuest(service)
    await executeOperation(service, ownerToken, revoke, { id: invitation.id })
    expect((await executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) })).refusal).toEqual(
      alreadyAnswered('revoked'),
    )
  })

  test('expires after seven days', async () => {
    const { guestToken, invitation, guest } = await createInvitedGuest(service)
    const token = lastSecret(service, invitation.id)
    clock.advance(7 * day - 60_000)
    const otherToken = await personalToken(database, await createUser(database))
    expect((await executeOperation(service, otherToken, accept, { token })).refusal).toEqual(otherAddress)
    clock.advance(60_000)
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toEqual(alreadyAnswered('expired'))
    expect(await database.prisma.member.count({ where: { userId: guest.id } })).toBe(0)
  })
})
