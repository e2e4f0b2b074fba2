import { describe, expect, test } from 'vitest'
import type { Application } from '../../prisma/generated/client/enums.ts'
import type { JsonObject } from '../../schema/scim/protocol/attribute.ts'
import { applyPatch, readPatch } from '../../schema/scim/protocol/patch.ts'
import { groupType } from '../../schema/scim/resource-types.ts'
import { changeGroup } from '../../schema/scim/groups/write-group.ts'
import { patchOf } from '../support/scim/directory.ts'
import { createGroups } from '../support/scim/groups.ts'
import { withoutLocks } from '../support/scim/without-locks.ts'
import { contextOf, sessionOf } from '../support/service/in-process.ts'
import { useService } from '../support/service/service.ts'

// A change of a group reads it, changes the copy and writes the differences, all under the lock of the team. What is read twice at the same
// time without the lock: the list that a request replaces, and the groups from which the products of a user follow. Members who are only
// added would not be lost, because the differences of two requests are different rows.

const service = useService()
const { prisma } = service.database

test('200 changes of one group at the same time lose no member', async () => {
  const { team, send, createGroup, membersOf } = await createGroups(service)
  const data = Array.from({ length: 200 }, (_, n) => ({ email: `u${n}@${team.slug}.example`, name: `User ${n}`, emailVerified: true }))
  const rows = await prisma.user.createManyAndReturn({ data, select: { id: true } })
  const ids = rows.map(({ id }) => id)
  await prisma.member.createMany({ data: ids.map((userId) => ({ teamId: team.id, userId, role: 'member' as const })) })
  const { id } = await createGroup('Everybody')
  const add = (value: string) => send('PATCH', `/Groups/${id}`, patchOf({ op: 'add', path: 'members', value: [{ value }] }))
  const statuses = (await Promise.all(ids.map(add))).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([204]))
  expect((await membersOf(id)).toSorted()).toEqual(ids.toSorted())
})

describe.each([
  ['with the lock of the team', true],
  ['without it, the control', false],
] as const)('%s', (_, isLocked) => {
  /** Changes groups at the same time, each with a connection of its own, and returns how many changes failed. */
  async function change({ team, owner }: Awaited<ReturnType<typeof createGroups>>, changes: [id: string, operation: object][]) {
    const database = isLocked ? service.database : withoutLocks(service.database)
    const context = contextOf({ ...service, database: { ...service.database, ...database } }, await sessionOf(service, owner))
    const directory = { teamId: team.id, base: service.url }
    await Promise.all(
      changes.map(([id, operation]) =>
        changeGroup(context, directory, id, (present: JsonObject) => applyPatch(groupType, present, readPatch(patchOf(operation)))),
      ),
    )
  }

  test(`a user who joins eight groups at the same time ${isLocked ? 'has' : 'loses some of'} the products of all`, async () => {
    const apps: Application[] = ['domain', 'cert', 'deploy', 'shortener', 'flow', 'backup', 'socket', 'billing']
    let lost = 0
    for (let round = 0; round < 5; round++) {
      const groups = await createGroups(service, Object.fromEntries(apps.map((app) => [app, ['member', [app]]])))
      const { id: value } = await groups.provision('ada')
      const created: { id: string }[] = []
      for (const app of apps) created.push(await groups.createGroup(app))
      await change(
        groups,
        created.map(({ id }) => [id, { op: 'add', path: 'members', value: [{ value }] }]),
      )
      lost += apps.length - ((await groups.termsOf(value))?.applications.length ?? 0)
    }
    if (isLocked) expect(lost).toBe(0)
    else expect(lost).toBeGreaterThan(0)
  })

  test(`of lists that replace each other, the group ${isLocked ? 'has one' : 'has a mixture'}`, async () => {
    const groups = await createGroups(service)
    const ids: string[] = []
    for (let n = 0; n < 8; n++) ids.push((await groups.provision(`u${n}`)).id)
    const { id } = await groups.createGroup('Everybody')
    await change(
      groups,
      ids.map((value) => [id, { op: 'replace', path: 'members', value: [{ value }] }]),
    )
    const members = await groups.membersOf(id)
    if (isLocked) expect(members.length).toBe(1)
    else expect(members.length).toBeGreaterThan(1)
  })
})
