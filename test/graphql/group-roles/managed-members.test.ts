import { describe, expect, test } from 'vitest'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { request } from '../../support/http/request.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

const setGroupRoles = `mutation ($team: String!, $groups: [GroupRoleInput!]!) { setGroupRoles(input: { team: $team, groups: $groups }) {
  team { groupRoles { group role accessibleAppIds } } } }`
const updateMember = `mutation ($input: UpdateMemberInput!) { updateMember(input: $input) { member { role isManaged } } }`

async function scene(member: Partial<Prisma.MemberUncheckedCreateInput> = {}) {
  const { team, owner, token } = await createOwnedTeam(service.database)
  const user = await createUser(service.database, { name: 'Grace' })
  await prisma.member.create({ data: { teamId: team.id, userId: user.id, role: 'member', managed: true, ...member } })
  const principal = await sessionOf(service, owner)
  const update = (input: object, as: Parameters<typeof executeAs>[1] = principal) =>
    executeAs(service, as, updateMember, { input: { team: team.slug, userId: user.id, ...input } })
  const set = (groups: object[]) => executeAs(service, principal, setGroupRoles, { team: team.slug, groups })
  const stored = () => prisma.member.findUniqueOrThrow({ where: { teamId_userId: { teamId: team.id, userId: user.id } } })
  return { team, owner, token, user, principal, update, set, stored }
}

const refusedRole = { role: ["Grace is managed by the team's identity provider."] }

describe('a managed member', () => {
  test('cannot get another role from owners or operators', async () => {
    const { update } = await scene()
    expect((await update({ role: 'BILLING' })).refusal).toMatchObject({ code: 'validation_failed', details: { errors: refusedRole } })
    expect((await update({ role: 'BILLING' }, operator)).refusal).toMatchObject({ details: { errors: refusedRole } })
    const both = await update({ role: 'BILLING', accessibleAppIds: ['FLOW'] })
    expect(both.refusal?.details.errors).toEqual({ ...refusedRole, accessibleAppIds: refusedRole.role })
  })

  test('cannot get another role by the REST API', async () => {
    const { team, token, user } = await scene()
    const path = `/api/v1/teams/${team.slug}/members/${user.id}`
    const { status, body } = await request(service, 'PATCH', path, { token, body: { role: 'billing' } })
    expect(status).toBe(422)
    expect(body).toMatchObject({ errors: refusedRole })
  })

  test('can get the role and the products that they have', async () => {
    const { update } = await scene()
    expect((await update({ role: 'MEMBER', accessibleAppIds: null })).refusal).toBeNull()
  })

  test('is no longer managed as an owner', async () => {
    const { update, stored } = await scene()
    expect((await update({ role: 'OWNER' })).data.updateMember.member).toEqual({ role: 'OWNER', isManaged: false })
    expect(await stored()).toMatchObject({ role: 'owner', managed: false })
  })

  test('is no longer managed after the ownership was transferred to them', async () => {
    const { team, user, principal, stored } = await scene()
    const document = `mutation ($input: TransferOwnershipInput!) { transferOwnership(input: $input) { team { slug } } }`
    const input = { team: team.slug, newOwner: user.email, role: 'MEMBER' }
    expect((await executeAs(service, principal, document, { input })).refusal).toBeNull()
    expect(await stored()).toMatchObject({ role: 'owner', managed: false })
  })

  test('can be removed', async () => {
    const { team, user, principal } = await scene()
    const document = `mutation ($input: RemoveMemberInput!) { removeMember(input: $input) { member { isManaged } } }`
    const { data } = await executeAs(service, principal, document, { input: { team: team.slug, userId: user.id } })
    expect(data.removeMember.member).toEqual({ isManaged: true })
  })

  test('is marked in lists', async () => {
    const { team, principal } = await scene()
    const document = `query ($team: String!) { team(slug: $team) {
      members { nodes { isManaged } } people { nodes { isManaged } } } }`
    const { data } = await executeAs(service, principal, document, { team: team.slug })
    expect(data.team).toEqual({ members: { nodes: [{ isManaged: false }, { isManaged: true }] }, people: data.team.members })
  })
})

describe('setGroupRoles', () => {
  test('replaces the groups, which owners can read', async () => {
    const { set } = await scene()
    await set([{ group: 'Old', role: 'MEMBER' }])
    const { data } = await set([
      { group: ' Engineering ', role: 'MEMBER', accessibleAppIds: ['FLOW', 'CERT'] },
      { group: 'Accounting', role: 'BILLING' },
    ])
    expect(data.setGroupRoles.team.groupRoles).toEqual([
      { group: 'Accounting', role: 'BILLING', accessibleAppIds: null },
      { group: 'Engineering', role: 'MEMBER', accessibleAppIds: ['FLOW', 'CERT'] },
    ])
  })

  test('writes nothing for the same groups in another order', async () => {
    const { team, set } = await scene()
    const groups = [
      { group: 'b', role: 'MEMBER' },
      { group: 'a', role: 'MEMBER' },
    ]
    await set(groups)
    await set(groups.toReversed())
    expect(await prisma.auditEntry.count({ where: { teamId: team.id, action: 'setGroupRoles' } })).toBe(1)
  })

  test('ends the management without any group', async () => {
    const { set, stored, update } = await scene()
    await set([{ group: 'a', role: 'MEMBER' }])
    expect(await stored()).toMatchObject({ managed: true })
    await set([])
    expect(await stored()).toMatchObject({ role: 'member', managed: false })
    expect((await update({ role: 'BILLING' })).refusal).toBeNull()
  })

  test.each([
    ['the role of an owner', [{ group: 'a', role: 'OWNER' }], 'groups.0.role'],
    ['a group without a name', [{ group: ' ', role: 'MEMBER' }], 'groups.0.group'],
    [
      'a group twice',
      [
        { group: 'a', role: 'MEMBER' },
        { group: 'a ', role: 'BILLING' },
      ],
      'groups.1.group',
    ],
    ['a product twice', [{ group: 'a', role: 'MEMBER', accessibleAppIds: ['FLOW', 'FLOW'] }], 'groups.0.accessibleAppIds.1'],
    ['too many groups', Array.from({ length: 201 }, (_, n) => ({ group: `g${n}`, role: 'MEMBER' })), 'groups'],
  ])('refuses %s', async (_, groups, field) => {
    const { set } = await scene()
    const { refusal } = await set(groups)
    expect(refusal).toMatchObject({ code: 'validation_failed' })
    expect(Object.keys(refusal?.details.errors ?? {})).toEqual([field])
  })

  test('is refused to members', async () => {
    const { team } = await scene()
    const user = await createUser(service.database)
    await join(service.database, team, user, 'member')
    const { refusal } = await executeAs(service, await sessionOf(service, user), setGroupRoles, { team: team.slug, groups: [] })
    expect(refusal?.code).toBe('role_required')
  })
})
