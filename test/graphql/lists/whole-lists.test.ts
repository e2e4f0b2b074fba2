import { beforeAll, describe, expect, test } from 'vitest'
import type { Principal } from '../../../schema/core/principals.ts'
import { createManyNodes } from '../../support/graphql/stores/many-nodes.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Lists without pages: a field returns all rows, and a connection the same ones.

const service = useService()
let viewer: Principal
beforeAll(async () => {
  viewer = await (await createManyNodes(service, 12)).readerOf('Session')
  if (viewer.kind !== 'user') throw new Error('the reader of sessions is a user')
  await service.database.pool.query(`UPDATE members SET role = 'member' WHERE user_id <> $1`, [viewer.user.id])
  await service.database.pool.query(`UPDATE sessions SET last_used_at = '2026-01-01Z' WHERE ctid IN (SELECT ctid FROM sessions LIMIT 6)`)
})

const lists = [
  ['viewer', 'sessions', 'sessionId'],
  ['viewer', 'passkeys', 'passkeyId'],
  ['viewer', 'trustedDevices', 'trustedDeviceId'],
  ['viewer', 'externalIdentities', 'externalIdentityId'],
  ['viewer', 'invitations', 'invitationId'],
  ['viewer', 'solelyOwnedTeams', 'slug'],
  ['', 'deletedTeams', 'slug'],
] as const

async function read(principal: Principal, parent: string, selection: string) {
  const { data, refusal } = await executeAs(service, principal, parent ? `{ ${parent} { ${selection} } }` : `{ ${selection} }`)
  expect(refusal).toBeNull()
  return parent ? data[parent] : data
}

async function walk(principal: Principal, parent: string, name: string, id: string, isBackward: boolean): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = null; ;) {
    const range: string = isBackward ? `last: 5, before: ${JSON.stringify(cursor)}` : `first: 5, after: ${JSON.stringify(cursor)}`
    const fields = `nodes { ${id} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount`
    const page: any = (await read(principal, parent, `list: ${name}Connection(${range}) { ${fields} }`)).list
    const found = page.nodes.map((node: any) => node[id])
    if (isBackward) ids.unshift(...found)
    else ids.push(...found)
    if (!(isBackward ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) {
      expect(page.totalCount).toBe(ids.length)
      return ids
    }
    cursor = isBackward ? page.pageInfo.startCursor : page.pageInfo.endCursor
  }
}

describe.each(lists)('%s %s', (parent, name, id) => {
  test('has the rows of its connection, in the same order', async () => {
    const all = (await read(viewer, parent, `${name} { ${id} }`))[name].map((node: any) => node[id])
    expect(all.length).toBeGreaterThan(10)
    expect(new Set(all).size).toBe(all.length)
    for (const isBackward of [false, true]) expect(await walk(viewer, parent, name, id, isBackward)).toEqual(all)
  })
})

test('the sessions are ordered by their last use, latest first', async () => {
  const { sessions } = await read(viewer, 'viewer', 'sessions { sessionId lastUsedAt }')
  const times = sessions.map(({ lastUsedAt }: any) => lastUsedAt)
  expect(times).toEqual(times.toSorted().reverse())
})

test('lists and connections omit expired sessions and trusted devices, answered invitations, and teams that cannot be restored', async () => {
  const { pool, prisma } = service.database
  const before = new Date(service.clock.now().getTime() - 1000)
  await prisma.trustedDevice.updateMany({ data: { expiresAt: before } })
  await pool.query('UPDATE oidc_models SET expires_at = $1', [before])
  await prisma.invitation.updateMany({ data: { status: 'declined' } })
  await prisma.team.updateMany({ where: { deletedAt: { not: null } }, data: { deletedAt: new Date(0) } })
  for (const [parent, name, id] of lists.filter((list) => !['passkeys', 'externalIdentities', 'solelyOwnedTeams'].includes(list[1])))
    expect([name, (await read(viewer, parent, `${name} { ${id} }`))[name], await walk(viewer, parent, name, id, false)]).toEqual([
      name,
      [],
      [],
    ])
})

test('operators see every deleted team that can be restored', async () => {
  const now = service.clock.now()
  await service.database.prisma.team.createMany({ data: ['gone-a', 'gone-b'].map((slug) => ({ slug, name: slug, deletedAt: now })) })
  const { deletedTeams } = await read(operator, '', 'deletedTeams { slug }')
  expect(deletedTeams).toEqual([{ slug: 'gone-a' }, { slug: 'gone-b' }])
  expect(await walk(operator, '', 'deletedTeams', 'slug', false)).toEqual(['gone-a', 'gone-b'])
  expect((await read(viewer, '', 'deletedTeams { slug }')).deletedTeams).toEqual([])
})

test('one statement reads for all invitations whether they can be accepted', async () => {
  await service.database.prisma.invitation.updateMany({ data: { status: 'pending' } })
  service.statements.length = 0
  const { invitations } = await read(viewer, 'viewer', 'invitations { teamName inviterName isVoid }')
  expect([invitations.length, invitations[0]]).toEqual([12, { teamName: 'Inviting', inviterName: null, isVoid: true }])
  expect(service.statements).toHaveLength(2)
})
