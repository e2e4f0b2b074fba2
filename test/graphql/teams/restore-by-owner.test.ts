import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../schema/core/sha256.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createUser, join, teamToken } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'

const service = useService()
const { database, clock, mails } = service
const { prisma } = database
const remove = 'mutation ($team: String!) { deleteTeam(input: { team: $team, confirmSlug: $team }) { team { slug } } }'
const restore = 'mutation ($team: String!, $owner: String) { restoreTeam(input: { team: $team, owner: $owner }) { team { slug name } } }'
const listDeleted = '{ deletedTeams { slug } }'
const day = 86_400_000

const deleteAs = (session: Parameters<typeof executeAs>[1], team: string) => executeAs(service, session, remove, { team })
const noSuchTeam = { team: ['There is no deleted team with this slug that can be restored.'] }

describe('restoreTeam by an owner', () => {
  test('restores the team, which only its owners can list, and notifies every owner', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const [other, member, stranger] = [await createUser(database), await createUser(database), await createUser(database)]
    await join(database, team, other, 'owner')
    await join(database, team, member, 'billing')
    await deleteAs(await sessionOf(service, owner), team.slug)
    for (const [user, listed] of [
      [owner, [{ slug: team.slug }]],
      [other, [{ slug: team.slug }]],
      [member, []],
      [stranger, []],
    ] as const)
      expect((await executeAs(service, await sessionOf(service, user), listDeleted)).data.deletedTeams).toEqual(listed)
    for (const user of [member, stranger])
      expect((await executeAs(service, await sessionOf(service, user), restore, { team: team.slug })).refusal?.details.errors).toEqual(
        noSuchTeam,
      )
    mails.length = 0
    const { refusal } = await executeAs(service, await sessionOf(service, other), restore, { team: team.slug })
    expect([refusal, await prisma.team.count({ where: { id: team.id, deletedAt: null } })]).toEqual([null, 1])
    const data = { team: 'Acme', slug: team.slug }
    expect(mails).toHaveLength(2)
    for (const { id } of [owner, other]) expect(mails).toContainEqual(expect.objectContaining({ kind: 'team-restored', userId: id, data }))
  })

  test('is refused for former owners, after 14 days, and with a new owner', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const other = await createUser(database)
    await join(database, team, other, 'owner')
    await deleteAs(await sessionOf(service, owner), team.slug)
    const asOther = async (variables: object = {}) =>
      (await executeAs(service, await sessionOf(service, other), restore, { team: team.slug, ...variables })).refusal
    expect((await asOther({ owner: other.email }))?.code).toBe('role_required')
    const membership = { where: { teamId_userId: { teamId: team.id, userId: other.id } } }
    await prisma.member.update({ ...membership, data: { role: 'member' } })
    expect((await asOther())?.details.errors).toEqual(noSuchTeam)
    await prisma.member.update({ ...membership, data: { role: 'owner' } })
    await prisma.team.update({ where: { id: team.id }, data: { deletedAt: new Date(clock.now().getTime() - 14 * day) } })
    expect((await asOther())?.details.errors).toEqual(noSuchTeam)
  })

  test('does not restore what was revoked in the meantime', async () => {
    const { team, owner } = await createOwnedTeam(database)
    const [kept, revoked] = [await teamToken(database, team), await teamToken(database, team)]
    const session = await sessionOf(service, owner)
    await deleteAs(session, team.slug)
    await prisma.accessToken.updateMany({ where: { hash: sha256(revoked) }, data: { revokedAt: clock.now() } })
    await executeAs(service, session, restore, { team: team.slug })
    const statusOf = async (token: string) => (await request(service, 'GET', '/api/v1/teams', { token })).status
    expect([await statusOf(kept), await statusOf(revoked)]).toEqual([200, 401])
  })
})
