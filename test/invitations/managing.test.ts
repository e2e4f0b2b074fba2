import { describe, expect, test } from 'vitest'
import { invitedGuest } from '../support/invitation.ts'
import { lastSecret } from '../support/links.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/team.ts'
import { accept, operate, resend, revoke } from './operate.ts'

const service = await startService()
const { database, clock } = service
const day = 86_400_000
const roleRequired = { code: 'role_required' }
const notFound = { code: 'not_found' }

describe('resending', () => {
  test('makes a new link with a new expiry on the same terms; the old link is dead', async () => {
    const { token, guestToken, invitation } = await invitedGuest(service, { role: 'billing', accessible_app_ids: ['cert'] })
    const old = lastSecret(service, invitation.id)
    clock.advance(day)
    const { data, refusal } = await operate(service, token, resend, { id: invitation.id })
    expect(refusal).toBeNull()
    const { expiresAt, ...rest } = data.resendInvitation.invitation
    expect(rest).toEqual({
      id: invitation.id,
      email: invitation.email,
      role: 'BILLING',
      accessibleAppIds: ['CERT'],
      status: 'PENDING',
      answeredAt: null,
    })
    expect(new Date(expiresAt).getTime()).toBeGreaterThanOrEqual(invitation.expiresAt.getTime() + day)
    expect((await operate(service, guestToken, accept, { token: old })).refusal).toEqual(notFound)
    expect((await operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) })).refusal).toBeNull()
  })

  test('brings an expired invitation back, under the one who resends', async () => {
    const { team, owner, token, guestToken, invitation } = await invitedGuest(service)
    const second = await createUser(database)
    await join(database, team, second, 'owner')
    clock.advance(8 * day)
    expect((await operate(service, await personalToken(database, second), resend, { id: invitation.id })).refusal).toBeNull()
    await database.prisma.member.delete({ where: { teamId_userId: { teamId: team.id, userId: owner.id } } })
    expect((await operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) })).refusal).toBeNull()
    expect((await operate(service, token, resend, { id: invitation.id })).refusal).toEqual(notFound)
  })

  test('counts among the five an hour', async () => {
    const { token, invitation } = await invitedGuest(service)
    const codes: (string | null)[] = []
    for (let times = 0; times < 5; times++) codes.push((await operate(service, token, resend, { id: invitation.id })).refusal?.code ?? null)
    expect(codes).toEqual([null, null, null, null, 'rate_limited'])
  })

  test('an invitation of an owner is not for a team token', async () => {
    const { team, invitation } = await invitedGuest(service, { role: 'owner' })
    expect((await operate(service, await teamToken(database, team), resend, { id: invitation.id })).refusal).toEqual(roleRequired)
  })
})

describe('revoking', () => {
  test('is done once, and writes one audit entry', async () => {
    const { team, token, invitation } = await invitedGuest(service)
    const { data } = await operate(service, token, revoke, { id: invitation.id })
    expect(data.revokeInvitation.invitation).toMatchObject({
      id: invitation.id,
      status: 'REVOKED',
      answeredAt: expect.stringMatching(/Z$/) as string,
    })
    expect((await operate(service, token, revoke, { id: invitation.id })).refusal).toEqual(notFound)
    expect((await operate(service, token, resend, { id: invitation.id })).refusal).toEqual(notFound)
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'revokeInvitation' } })
    expect(entries).toMatchObject([{ subject: invitation.email, before: { status: 'pending' }, after: { status: 'revoked' } }])
  })

  test('and accepting at the same instant: one of them wins', async () => {
    for (let round = 0; round < 10; round++) {
      const { team, token, guestToken, invitation } = await invitedGuest(service)
      const outcomes = await Promise.all([
        operate(service, token, revoke, { id: invitation.id }),
        operate(service, guestToken, accept, { token: lastSecret(service, invitation.id) }),
      ])
      expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
      const { status } = await database.prisma.invitation.findUniqueOrThrow({ where: { id: invitation.id } })
      expect(await database.prisma.member.count({ where: { teamId: team.id } })).toBe(status === 'accepted' ? 2 : 1)
    }
  })
})

describe('who may not', () => {
  test.each([resend, revoke])('%s', async (operation) => {
    const { team, owner, invitation } = await invitedGuest(service)
    const { id } = invitation
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const foreign = await createOwnedTeam(database)
    const noScope = await personalToken(database, owner, { scopes: ['acct:team:members:write'] })
    const refusals = {
      member: await operate(service, await personalToken(database, member), operation, { id }),
      stranger: await operate(service, foreign.token, operation, { id }),
      foreignTeam: await operate(service, await teamToken(database, await createTeam(database)), operation, { id }),
      noScope: await operate(service, noScope, operation, { id }),
      unknown: await operate(service, foreign.token, operation, { id: '00000000-0000-4000-8000-000000000000' }),
      nonsense: await operate(service, foreign.token, operation, { id: "'" }),
    }
    expect(Object.entries(refusals).map(([who, { refusal }]) => [who, refusal?.code])).toEqual([
      ['member', 'role_required'],
      ['stranger', 'not_found'],
      ['foreignTeam', 'not_found'],
      ['noScope', 'insufficient_scope'],
      ['unknown', 'not_found'],
      ['nonsense', 'not_found'],
    ])
    expect(await database.prisma.invitation.findUnique({ where: { id } })).toEqual(invitation)
  })
})

describe('Team.invitations', () => {
  const list = 'query ($slug: String!) { team(slug: $slug) { invitations { total nodes { email status } } } }'

  test('shows an owner all of them, newest first, with what has become of each', async () => {
    const { team, token, invitation } = await invitedGuest(service)
    clock.advance(8 * day)
    expect((await operate(service, token, list, { slug: team.slug })).data.team.invitations).toEqual({
      total: 1,
      nodes: [{ email: invitation.email, status: 'EXPIRED' }],
    })
    const member = await createUser(database)
    await join(database, team, member, 'member')
    expect((await operate(service, await personalToken(database, member), list, { slug: team.slug })).refusal).toEqual(roleRequired)
  })
})
