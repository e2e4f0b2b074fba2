import { describe, expect, test } from 'vitest'
import { createInvitedGuest, findPendingInvitation, invite } from '../support/data/invitation.ts'
import { clientToken } from '../support/oauth/clients/machines.ts'
import { lastSecret } from '../support/mail/links.ts'
import { useService } from '../support/service/service.ts'
import { createOwnedTeam, createUser, join, personalToken, teamToken, unique } from '../support/data/team.ts'
import { accept, decline, executeOperation } from '../support/graphql/invitation-operations.ts'

const service = useService()
const { database, clock } = service
const inviterRejected = {
  code: 'validation_failed',
  errors: { token: ['The person who sent this invitation can no longer invite members.'] },
}

describe('an invitation', () => {
  const acceptAndGetRefusal = async ({ guestToken, invitation }: Awaited<ReturnType<typeof createInvitedGuest>>) =>
    (await executeOperation(service, guestToken, accept, { token: lastSecret(service, invitation.id) })).refusal

  test('cannot be accepted while its inviter is not an owner of the team', async () => {
    const invited = await createInvitedGuest(service)
    const { team, owner } = invited
    await join(database, team, await createUser(database), 'owner')
    const where = { teamId_userId: { teamId: team.id, userId: owner.id } }
    await database.prisma.member.update({ where, data: { role: 'member' } })
    expect(await acceptAndGetRefusal(invited)).toEqual(inviterRejected)
    await database.prisma.member.delete({ where })
    expect(await acceptAndGetRefusal(invited)).toEqual(inviterRejected)
    await join(database, team, owner, 'owner')
    expect(await acceptAndGetRefusal(invited)).toBeNull()
  })

  test('cannot be accepted but can be declined if its inviter is disabled or deleted', async () => {
    const invited = await createInvitedGuest(service)
    await join(database, invited.team, await createUser(database), 'owner')
    await database.prisma.user.update({ where: { id: invited.owner.id }, data: { disabledAt: clock.now() } })
    expect(await acceptAndGetRefusal(invited)).toEqual(inviterRejected)
    await database.prisma.user.delete({ where: { id: invited.owner.id } })
    expect(await acceptAndGetRefusal(invited)).toEqual(inviterRejected)
    const { refusal } = await executeOperation(service, invited.guestToken, decline, { token: lastSecret(service, invited.invitation.id) })
    expect(refusal).toBeNull()
  })

  test.each([
    ['revoked', () => ({ revokedAt: clock.now() })],
    ['expired', () => ({ expiresAt: clock.now() })],
  ])('cannot be accepted if its inviter is a team token that was %s', async (_, change) => {
    const { team } = await createOwnedTeam(database)
    const email = `${unique('guest')}@example.test`
    const guestToken = await personalToken(database, await createUser(database, { email }))
    await invite(service, team.slug, await teamToken(database, team), { email, role: 'member' })
    const invitation = await findPendingInvitation(service, email)
    const token = lastSecret(service, invitation.id)
    await database.prisma.accessToken.update({ where: { id: invitation.invitedByTokenId ?? '' }, data: change() })
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toEqual(inviterRejected)
    await database.prisma.accessToken.update({
      where: { id: invitation.invitedByTokenId ?? '' },
      data: { revokedAt: null, expiresAt: null },
    })
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toBeNull()
  })

  test.each([
    ['disabled', { disabledAt: new Date() }],
    ['without the grant', { grantTypes: ['authorization_code'] }],
    ['of no team', { ownerTeamId: null }],
  ])('cannot be accepted if its inviter is a client that is %s', async (_, data) => {
    const { team } = await createOwnedTeam(database)
    const email = `${unique('guest')}@example.test`
    const guestToken = await personalToken(database, await createUser(database, { email }))
    await invite(service, team.slug, await clientToken(database, team), { email, role: 'member' })
    const invitation = await findPendingInvitation(service, email)
    const token = lastSecret(service, invitation.id)
    const { id, ...client } = await database.prisma.oAuthClient.findFirstOrThrow({ where: { ownerTeamId: team.id } })
    expect(invitation).toMatchObject({ invitedById: null, invitedByTokenId: null, invitedByMachineId: id })
    await database.prisma.oAuthClient.update({ where: { id }, data })
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toEqual(inviterRejected)
    const { disabledAt, grantTypes, ownerTeamId } = client
    await database.prisma.oAuthClient.update({ where: { id }, data: { disabledAt, grantTypes, ownerTeamId } })
    expect((await executeOperation(service, guestToken, accept, { token })).refusal).toBeNull()
  })
})
