import { describe, expect, test } from 'vitest'
import { invite, invitedGuest, pendingOf } from '../support/invitation.ts'
import { lastSecret } from '../support/links.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../support/team.ts'
import { accept, decline, operate, revoke } from './operate.ts'

const service = await startService()
const { database, clock } = service
const day = 86_400_000

const membersOf = (teamId: string) => database.prisma.member.findMany({ where: { teamId, role: { not: 'owner' } } })
const spent = (status: string) => ({ code: 'validation_failed', errors: { token: [`The invitation is ${status}.`] } })
const otherAddress = {
  code: 'validation_failed',
  errors: { email: ['The invitation is for another address: sign in with the invited one, and verify it.'] },
}
const voided = { code: 'validation_failed', errors: { token: ['The one who sent this invitation may no longer invite.'] } }

describe('accepting', () => {
  test('makes the invited person a member as invited, at once, with one audit entry', async () => {
    const { team, guest, guestToken, invitation } = await invitedGuest(service, { role: 'billing', accessible_app_ids: ['cert'] })
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token: guestToken })).status).toBe(403)
    const { data, refusal } = await operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) })
    expect(refusal).toBeNull()
    expect(data.acceptInvitation).toEqual({
      invitation: {
        id: invitation.id,
        email: guest.email,
        role: 'BILLING',
        accessibleAppIds: ['CERT'],
        status: 'ACCEPTED',
        expiresAt: invitation.expiresAt.toISOString(),
        answeredAt: expect.stringMatching(/Z$/) as string,
      },
      team: { slug: team.slug },
    })
    expect(await membersOf(team.id)).toMatchObject([{ userId: guest.id, role: 'billing', allApplications: false, applications: ['cert'] }])
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token: guestToken })).status).toBe(200)
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'acceptInvitation' } })
    expect(entries).toMatchObject([{ subject: guest.id, actorUserId: guest.id, after: { role: 'billing', accessibleAppIds: ['cert'] } }])
  })

  test('works once', async () => {
    const { team, guestToken, invitation } = await invitedGuest(service)
    const token = lastSecret(service, invitation.id)
    await operate(service, guestToken, accept, { token })
    expect((await operate(service, guestToken, accept, { token })).refusal).toEqual(spent('accepted'))
    expect((await operate(service, guestToken, decline, { token })).refusal).toEqual(spent('accepted'))
    expect(await membersOf(team.id)).toHaveLength(1)
  })

  test('fifty times at once makes one member and one success', async () => {
    const { team, guestToken, invitation } = await invitedGuest(service)
    const token = lastSecret(service, invitation.id)
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => operate(service, guestToken, accept, { token })))
    expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
    expect(outcomes.filter(({ refusal }) => refusal !== null).map(({ refusal }) => refusal)).toEqual(
      Array.from({ length: 49 }, () => spent('accepted')),
    )
    expect(await membersOf(team.id)).toHaveLength(1)
    expect(await database.prisma.auditEntry.count({ where: { teamId: team.id, action: 'acceptInvitation' } })).toBe(1)
  })

  test('an owner invited by an owner becomes one', async () => {
    const { team, guest, guestToken, invitation } = await invitedGuest(service, { role: 'owner' })
    await operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) })
    expect(await database.prisma.member.findUnique({ where: { teamId_userId: { teamId: team.id, userId: guest.id } } })).toMatchObject({
      role: 'owner',
    })
  })

  test('is not for another person, though they hold the link', async () => {
    const { team, invitation } = await invitedGuest(service)
    const other = await personalToken(database, await createUser(database))
    const token = lastSecret(service, invitation.id)
    for (const operation of [accept, decline]) expect((await operate(service, other, operation, { token })).refusal).toEqual(otherAddress)
    expect(await membersOf(team.id)).toEqual([])
    expect(await pendingOf(service, invitation.email)).toMatchObject({ id: invitation.id })
  })

  test('is not for an address that is not verified, until it is', async () => {
    const { guest, guestToken, invitation } = await invitedGuest(service, {}, { emailVerified: false })
    const token = lastSecret(service, invitation.id)
    expect((await operate(service, guestToken, accept, { token })).refusal).toEqual(otherAddress)
    await database.prisma.user.update({ where: { id: guest.id }, data: { emailVerified: true } })
    expect((await operate(service, guestToken, accept, { token })).refusal).toBeNull()
  })

  test('needs a person: a team token is nobody, and a scope is needed', async () => {
    const { team, guest, invitation } = await invitedGuest(service)
    const token = lastSecret(service, invitation.id)
    expect((await operate(service, await teamToken(database, team), accept, { token })).refusal?.code).toBe('insufficient_scope')
    const narrow = await personalToken(database, guest, { scopes: ['acct:team:members:write'] })
    expect((await operate(service, narrow, accept, { token })).refusal?.code).toBe('insufficient_scope')
    expect((await operate(service, 'pat_nobody', accept, { token })).refusal?.code).toBe('unauthenticated')
  })

  test('by someone who joined meanwhile is refused as such', async () => {
    const { team, guest, guestToken, invitation } = await invitedGuest(service)
    await join(database, team, guest, 'member')
    const { refusal } = await operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) })
    expect(refusal).toEqual({ code: 'already_member', errors: { email: ['This user already belongs to the team.'] } })
  })
})

describe('a link', () => {
  test.each(['', 'nonsense', 'a\0b', '\ud800', 'x'.repeat(10_000)])('that never was is not_found: %j', async (token) => {
    const person = await personalToken(database, await createUser(database))
    for (const operation of [accept, decline])
      expect((await operate(service, person, operation, { token })).refusal).toEqual({ code: 'not_found' })
  })

  test('that was renewed is dead, and the new one works, on the new terms', async () => {
    const { team, token, email, guestToken, invitation } = await invitedGuest(service)
    const old = lastSecret(service, invitation.id)
    expect((await invite(service, team.slug, token, { email, role: 'billing', accessible_app_ids: ['flow'] })).status).toBe(204)
    expect((await operate(service, guestToken, accept, { token: old })).refusal).toEqual({ code: 'not_found' })
    const { refusal } = await operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) })
    expect(refusal).toBeNull()
    expect(await membersOf(team.id)).toMatchObject([{ role: 'billing', applications: ['flow'] }])
  })

  test('that was declined is spent, for good', async () => {
    const { team, guest, guestToken, invitation } = await invitedGuest(service)
    const token = lastSecret(service, invitation.id)
    const { data } = await operate(service, guestToken, decline, { token })
    expect(data.declineInvitation.invitation).toMatchObject({ id: invitation.id, status: 'DECLINED' })
    expect((await operate(service, guestToken, accept, { token })).refusal).toEqual(spent('declined'))
    expect(await membersOf(team.id)).toEqual([])
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'declineInvitation' } })
    expect(entries).toMatchObject([{ subject: guest.id, after: { status: 'declined' } }])
  })

  test('that was revoked is spent', async () => {
    const { token: ownerToken, guestToken, invitation } = await invitedGuest(service)
    await operate(service, ownerToken, revoke, { id: invitation.id })
    expect((await operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) })).refusal).toEqual(spent('revoked'))
  })

  test('expires after seven days', async () => {
    const { guestToken, invitation, guest } = await invitedGuest(service)
    const token = lastSecret(service, invitation.id)
    clock.advance(7 * day - 60_000)
    const stranger = await personalToken(database, await createUser(database))
    expect((await operate(service, stranger, accept, { token })).refusal).toEqual(otherAddress)
    clock.advance(60_000)
    expect((await operate(service, guestToken, accept, { token })).refusal).toEqual(spent('expired'))
    expect(await database.prisma.member.count({ where: { userId: guest.id } })).toBe(0)
  })
})

describe('an inviter', () => {
  const accepted = async ({ guestToken, invitation }: Awaited<ReturnType<typeof invitedGuest>>) =>
    (await operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) })).refusal

  test('who is no longer an owner, or no member at all, invites nobody; who is again, does', async () => {
    const invited = await invitedGuest(service)
    const { team, owner } = invited
    await join(database, team, await createUser(database), 'owner')
    const where = { teamId_userId: { teamId: team.id, userId: owner.id } }
    await database.prisma.member.update({ where, data: { role: 'member' } })
    expect(await accepted(invited)).toEqual(voided)
    await database.prisma.member.delete({ where })
    expect(await accepted(invited)).toEqual(voided)
    await join(database, team, owner, 'owner')
    expect(await accepted(invited)).toBeNull()
  })

  test('who is disabled, or gone, invites nobody; the invited can still decline', async () => {
    const invited = await invitedGuest(service)
    await join(database, invited.team, await createUser(database), 'owner')
    await database.prisma.user.update({ where: { id: invited.owner.id }, data: { disabledAt: clock.now() } })
    expect(await accepted(invited)).toEqual(voided)
    await database.prisma.user.delete({ where: { id: invited.owner.id } })
    expect(await accepted(invited)).toEqual(voided)
    const { refusal } = await operate(service, invited.guestToken, decline, { token: lastSecret(service, invited.invitation.id) })
    expect(refusal).toBeNull()
  })

  test.each([
    ['revoked', () => ({ revokedAt: clock.now() })],
    ['expired', () => ({ expiresAt: clock.now() })],
  ])('that is a team token, %s since, invites nobody', async (_, change) => {
    const { team } = await createOwnedTeam(database)
    const email = `${unique('guest')}@example.test`
    const guestToken = await personalToken(database, await createUser(database, { email }))
    await invite(service, team.slug, await teamToken(database, team), { email, role: 'member' })
    const invitation = await pendingOf(service, email)
    const token = lastSecret(service, invitation.id)
    await database.prisma.accessToken.update({ where: { id: invitation.invitedByTokenId ?? '' }, data: change() })
    expect((await operate(service, guestToken, accept, { token })).refusal).toEqual(voided)
    await database.prisma.accessToken.update({
      where: { id: invitation.invitedByTokenId ?? '' },
      data: { revokedAt: null, expiresAt: null },
    })
    expect((await operate(service, guestToken, accept, { token })).refusal).toBeNull()
  })
})
