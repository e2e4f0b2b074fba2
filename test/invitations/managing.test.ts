import { describe, expect, test } from 'vitest'
import { createInvitedGuest } from '../support/data/invitation.ts'
import { lastSecret } from '../support/mail/links.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken, teamToken } from '../support/data/team.ts'
import { accept, executeOperation, resend, revoke } from '../support/graphql/invitation-operations.ts'

const service = useService()
const { database, clock } = service
const day = 86_400_000
const roleRequired = { code: 'role_required' }
const notFound = { code: 'not_found' }

describe('resendInvitation', () => {
  test('creates a new link with a new expiry for the same role and applications, and invalidates the old link', async () => {
    const { token, guestToken, invitation } = await createInvitedGuest(service, { role: 'billing', accessible_app_ids: ['cert'] })
    const old = lastSecret(service, invitation.id)
    clock.advance(day)
    const { data, refusal } = await executeOperation(service, token, resend, { id: invitation.id })
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
    expect((await executeOperation(service, guestToken, accept, { token: old })).refusal).toEqual(notFound)
    expect((await executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) })).refusal).toBeNull()
  })

  test('renews an expired invitation with the caller as inviter', async () => {
    const { team, owner, token, guestToken, invitation } = await createInvitedGuest(service)
    const second = await createUser(database)
    await join(database, team, second, 'owner')
    clock.advance(8 * day)
    expect((await executeOperation(service, await personalToken(database, second), resend, { id: invitation.id })).refusal).toBeNull()
    await database.prisma.member.delete({ where: { teamId_userId: { teamId: team.id, userId: owner.id } } })
    expect((await executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) })).refusal).toBeNull()
    expect((await executeOperation(service, token, resend, { id: invitation.id })).refusal).toEqual(notFound)
  })

  test('counts towards the limit of five mails per hour', async () => {
    const { token, invitation } = await createInvitedGuest(service)
    const codes: (string | null)[] = []
    for (let count = 0; count < 5; count++)
      codes.push((await executeOperation(service, token, resend, { id: invitation.id })).refusal?.code ?? null)
    expect(codes).toEqual([null, null, null, null, 'rate_limited'])
  })

  test('returns role_required for a team token if the invitation is for an owner', async () => {
    const { team, invitation } = await createInvitedGuest(service, { role: 'owner' })
    expect((await executeOperation(service, await teamToken(database, team), resend, { id: invitation.id })).refusal).toEqual(roleRequired)
  })
})

describe('revokeInvitation', () => {
  test('succeeds once and writes one audit entry', async () => {
    const { team, token, invitation } = await createInvitedGuest(service)
    const { data } = await executeOperation(service, token, revoke, { id: invitation.id })
    expect(data.revokeInvitation.invitation).toMatchObject({
      id: invitation.id,
      status: 'REVOKED',
      answeredAt: expect.stringMatching(/Z$/),
    })
    expect((await executeOperation(service, token, revoke, { id: invitation.id })).refusal).toEqual(notFound)
    expect((await executeOperation(service, token, resend, { id: invitation.id })).refusal).toEqual(notFound)
    const entries = await database.prisma.auditEntry.findMany({ where: { teamId: team.id, action: 'revokeInvitation' } })
    expect(entries).toMatchObject([
      { subject: invitation.id, subjectName: invitation.email, before: { status: 'pending' }, after: { status: 'revoked' } },
    ])
  })

  test('and a concurrent acceptInvitation exclude each other', async () => {
    for (let round = 0; round < 10; round++) {
      const { team, token, guestToken, invitation } = await createInvitedGuest(service)
      const outcomes = await Promise.all([
        executeOperation(service, token, revoke, { id: invitation.id }),
        executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) }),
      ])
      expect(outcomes.filter(({ refusal }) => refusal === null)).toHaveLength(1)
      const { status } = await database.prisma.invitation.findUniqueOrThrow({ where: { id: invitation.id } })
      expect(await database.prisma.member.count({ where: { teamId: team.id } })).toBe(status === 'accepted' ? 2 : 1)
    }
  })
})

describe('an invitation that the caller cannot manage', () => {
  test.each([resend, revoke])('is left unchanged by %s', async (operation) => {
    const { team, owner, invitation } = await createInvitedGuest(service)
    const { id } = invitation
    const member = await createUser(database)
    await join(database, team, member, 'member')
    const other = await createOwnedTeam(database)
    const noScope = await personalToken(database, owner, { scopes: ['acct:team:members:write'] })
    const results = {
      member: await executeOperation(service, await personalToken(database, member), operation, { id }),
      outsider: await executeOperation(service, other.token, operation, { id }),
      otherTeam: await executeOperation(service, await teamToken(database, await createTeam(database)), operation, { id }),
      noScope: await executeOperation(service, noScope, operation, { id }),
      unknown: await executeOperation(service, other.token, operation, { id: '00000000-0000-4000-8000-000000000000' }),
      malformed: await executeOperation(service, other.token, operation, { id: "'" }),
    }
    expect(Object.entries(results).map(([caller, { refusal }]) => [caller, refusal?.code])).toEqual([
      ['member', 'role_required'],
      ['outsider', 'not_found'],
      ['otherTeam', 'not_found'],
      ['noScope', 'insufficient_scope'],
      ['unknown', 'not_found'],
      ['malformed', 'not_found'],
    ])
    expect(await database.prisma.invitation.findUnique({ where: { id } })).toEqual(invitation)
  })
})

describe('Team.invitations', () => {
  const list = 'query ($slug: String!) { team(slug: $slug) { invitations { total nodes { email status } } } }'

  test('lists every invitation with its current status to an owner, and returns role_required for a member', async () => {
    const { team, token, invitation } = await createInvitedGuest(service)
    clock.advance(8 * day)
    expect((await executeOperation(service, token, list, { slug: team.slug })).data.team.invitations).toEqual({
      total: 1,
      nodes: [{ email: invitation.email, status: 'EXPIRED' }],
    })
    const member = await createUser(database)
    await join(database, team, member, 'member')
    expect((await executeOperation(service, await personalToken(database, member), list, { slug: team.slug })).refusal).toEqual(
      roleRequired,
    )
  })
})
