import { describe, expect, test } from 'vitest'
import type { Role } from '../../../prisma/generated/client/enums.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { applyGroups } from '../../../schema/members/groups/apply-groups.ts'
import { createOwnedTeam, createUser, join } from '../../support/data/team.ts'
import { contextOf, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

async function scene(roles: Record<string, { role: Role; applications?: ('flow' | 'cert')[] }>) {
  const { team, owner } = await createOwnedTeam(service.database)
  const user = await createUser(service.database)
  const data = Object.entries(roles).map(([group, { role, applications }]) => ({
    teamId: team.id,
    group,
    role,
    allApplications: applications === undefined,
    applications: applications ?? [],
  }))
  await prisma.groupRole.createMany({ data })
  const principal = await sessionOf(service, user)
  const signIn = (groups: string[], jitRole: Role | null = null, userId = user.id) =>
    inTransaction(service.database, (transaction) =>
      applyGroups(transaction, contextOf(service, principal), {
        teamId: team.id,
        userId,
        groups,
        jitRole,
        mayJoin: true,
        provider: 'Okta',
      }),
    )
  const member = (userId = user.id) =>
    prisma.member.findUnique({
      where: { teamId_userId: { teamId: team.id, userId } },
      select: { role: true, allApplications: true, applications: true, managed: true },
    })
  const actions = async () =>
    (await prisma.auditEntry.findMany({ where: { teamId: team.id }, orderBy: [{ at: 'asc' }, { id: 'asc' }] })).map(({ action }) => action)
  return { team, owner, user, signIn, member, actions }
}

const managed = (role: Role, applications: string[] | null = null) => ({
  role,
  allApplications: applications === null,
  applications: applications ?? [],
  managed: true,
})

describe('groups of an identity provider', () => {
  test('make a user a member with the role and the products of the group', async () => {
    const { signIn, member, actions } = await scene({ Engineering: { role: 'member', applications: ['flow'] } })
    await signIn(['Everyone', 'Engineering'])
    expect(await member()).toEqual(managed('member', ['flow']))
    expect(await actions()).toEqual(['joinThroughProvider'])
  })

  test('add no member whose groups have no role', async () => {
    const { signIn, member, actions } = await scene({ Engineering: { role: 'member' } })
    await signIn(['engineering', 'Engineering '], 'member')
    expect(await member()).toBeNull()
    expect(await actions()).toEqual([])
  })

  test('give the products of all groups, and the role member before billing', async () => {
    const { signIn, member } = await scene({
      a: { role: 'billing', applications: ['flow'] },
      b: { role: 'member', applications: ['cert', 'flow'] },
      c: { role: 'billing' },
    })
    await signIn(['a', 'b'])
    expect(await member()).toEqual(managed('member', ['cert', 'flow']))
    await signIn(['a', 'c'])
    expect(await member()).toEqual(managed('billing'))
  })

  test('change a managed member who left the groups to the role of new members', async () => {
    const { signIn, member, actions } = await scene({ a: { role: 'billing', applications: ['flow'] } })
    await signIn(['a'])
    await signIn([], 'member')
    expect(await member()).toEqual(managed('member'))
    await signIn([], 'member')
    expect(await actions()).toEqual(['joinThroughProvider', 'applyGroups'])
  })

  test('remove a managed member who left the groups if new users do not become members', async () => {
    const { signIn, member, actions } = await scene({ a: { role: 'member' } })
    await signIn(['a'])
    await signIn([])
    expect(await member()).toBeNull()
    expect(await actions()).toEqual(['joinThroughProvider', 'removeByGroups'])
  })

  test('manage a member who was invited as soon as a group has a role', async () => {
    const { team, user, signIn, member, actions } = await scene({ a: { role: 'member' } })
    await join(service.database, team, user, 'member')
    await signIn(['b'])
    expect(await member()).toEqual({ ...managed('member'), managed: false })
    await signIn(['a'])
    expect(await member()).toEqual(managed('member'))
    expect(await actions()).toEqual(['applyGroups'])
  })

  test('never change an owner', async () => {
    const { owner, signIn, member, actions } = await scene({ a: { role: 'billing' } })
    await signIn(['a'], null, owner.id)
    await signIn([], null, owner.id)
    expect(await member(owner.id)).toEqual({ ...managed('owner'), managed: false })
    expect(await actions()).toEqual([])
  })

  test('change nothing in a team in which no group has a role', async () => {
    const { team, user, signIn, member } = await scene({})
    await prisma.member.create({ data: { teamId: team.id, userId: user.id, role: 'billing', managed: true } })
    await signIn(['a'], 'member')
    expect(await member()).toEqual(managed('billing'))
  })
})
