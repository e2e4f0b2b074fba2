import { describe, expect, test } from 'vitest'
import { patchOf } from '../support/scim/directory.ts'
import { createGroups } from '../support/scim/groups.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { prisma } = service.database

describe('200 changes of one group at the same time', () => {
  const users = 200

  async function crowd() {
    const { team, send, createGroup, membersOf } = await createGroups(service)
    const data = Array.from({ length: users }, (_, n) => ({ email: `u${n}@${team.slug}.example`, name: `User ${n}`, emailVerified: true }))
    const rows = await prisma.user.createManyAndReturn({ data, select: { id: true } })
    await prisma.member.createMany({ data: rows.map(({ id }) => ({ teamId: team.id, userId: id, role: 'member' as const })) })
    const { id } = await createGroup('Everybody')
    return { id, ids: rows.map((row) => row.id), send, membersOf }
  }

  test('lose no member', async () => {
    const { id, ids, send, membersOf } = await crowd()
    const add = (value: string) => send('PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'members', value: [{ value }] }))
    const statuses = (await Promise.all(ids.map(add))).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([204]))
    expect((await membersOf(id)).toSorted()).toEqual(ids.toSorted())
  })

  test('lose members if each is made of what was read before, as without the lock', async () => {
    const { id, ids, send, membersOf } = await crowd()
    await Promise.all(
      ids.map(async (value) => {
        const present = await membersOf(id)
        await send('PUT', `/Groups/${id}`, { displayName: 'Everybody', members: [...present, value].map((each) => ({ value: each })) })
      }),
    )
    expect((await membersOf(id)).length).toBeLessThan(users)
  })
})
