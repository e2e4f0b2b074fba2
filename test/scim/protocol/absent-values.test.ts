import { describe, expect, test } from 'vitest'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

// Null is absence (RFC 7643 §2.5), and what a request leaves out never begins or ends a membership.

const service = useService()

describe.each([
  ['active', true],
  ['deactivated', false],
])('a user who is %s stays so', (_, active) => {
  test.each([
    ['a PUT with null', 'PUT', (userName: string) => ({ userName, active: null })],
    ['a PUT without it', 'PUT', (userName: string) => ({ userName, displayName: 'New' })],
    ['a PATCH that replaces it by null', 'PATCH', () => patchOf({ op: 'replace', path: 'active', value: null })],
    ['a PATCH that adds null', 'PATCH', () => patchOf({ op: 'add', path: 'active', value: null })],
    ['a PATCH with null in a value', 'PATCH', () => patchOf({ op: 'Replace', value: { active: null } })],
    ['a PATCH with null in a value that is added', 'PATCH', () => patchOf({ op: 'add', value: { active: null, displayName: 'New' } })],
    ['a PATCH with null in a list', 'PATCH', () => patchOf({ op: 'replace', path: 'active', value: [{ value: null }] })],
    ['a PATCH without a value', 'PATCH', () => patchOf({ op: 'replace', path: 'active' })],
    ['a PATCH that removes it', 'PATCH', () => patchOf({ op: 'remove', path: 'active' })],
  ])('after %s', async (__, method, bodyOf) => {
    const { send, provision } = await createDirectory(service)
    const { id, userName } = await provision('ada')
    if (!active) await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false }))
    expect(await send(method, `/Users/${id}`, bodyOf(userName))).toMatchObject({ status: 200, body: { active } })
    expect(await service.database.prisma.member.count({ where: { userId: id } })).toBe(active ? 1 : 0)
  })
})

test('null is absence in a POST', async () => {
  const { send, domain } = await createDirectory(service)
  const nulls = { externalId: null, displayName: null, name: null, active: null, groups: null, meta: null, id: null }
  const { status, body } = await send('POST', '/Users', { userName: `ada@${domain}`, emails: null, ...nulls })
  expect([status, body.active, body.emails]).toEqual([201, true, []])
  expect(await send('POST', '/Groups', { displayName: 'G', members: null, externalId: null })).toMatchObject({
    status: 201,
    body: { members: [] },
  })
})

test('values whose parts are null are absent', async () => {
  const { send, provision, domain } = await createDirectory(service)
  const { id } = await provision('ada', { emails: [{ value: `ada@${domain}`, type: 'work' }, { value: null, type: 'home' }, null, {}] })
  const emails = [{ value: `ada@${domain}`, type: 'work', primary: false }]
  expect((await send('GET', `/Users/${id}`)).body.emails).toEqual(emails)
  expect(
    (await send('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'emails[type eq "home"].value', value: null }))).body.emails,
  ).toEqual(emails)
  expect(
    (await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: null }))).body.emails,
  ).toEqual([])
})

describe('a group keeps its members', () => {
  test.each([
    ['a PUT without them', 'PUT', { displayName: 'New' }],
    ['a PUT with null', 'PUT', { displayName: 'New', members: null }],
    ['a PATCH that replaces them by null', 'PATCH', patchOf({ op: 'replace', path: 'members', value: null })],
    ['a PATCH with null in a value', 'PATCH', patchOf({ op: 'replace', value: { displayName: 'New', members: null } })],
    ['a PATCH without a value', 'PATCH', patchOf({ op: 'replace', path: 'members' })],
  ])('after %s', async (_, method, body) => {
    const { send, provision, createGroup, membersOf } = await createGroups(service)
    const { id: user } = await provision('ada')
    const { id } = await createGroup('G', [user])
    expect([200, 204]).toContain((await send(method, `/Groups/${id}`, body)).status)
    expect(await membersOf(id)).toEqual([user])
  })

  test('until a PUT or a PATCH has an empty list', async () => {
    const { send, provision, createGroup, membersOf, patch } = await createGroups(service)
    const { id: user } = await provision('ada')
    for (const clear of [
      (id: string) => send('PUT', `/Groups/${id}`, { displayName: 'G', members: [] }),
      (id: string) => patch(id, { op: 'replace', path: 'members', value: [] }),
      (id: string) => patch(id, { op: 'remove', path: 'members' }),
    ]) {
      const { id } = await createGroup('G', [user])
      await clear(id)
      expect(await membersOf(id)).toEqual([])
      await send('DELETE', `/Groups/${id}`)
    }
  })
})

describe('the identifier of the directory', () => {
  test.each([
    ['a PUT without it', {}],
    ['a PUT with null', { externalId: null }],
  ])('stays after %s, of a user and of a group', async (_, body) => {
    const { send, provision, createGroup } = await createGroups(service)
    const { id, userName } = await provision('ada', { externalId: '00u1' })
    expect((await send('PUT', `/Users/${id}`, { userName, ...body })).body).toMatchObject({ externalId: '00u1' })
    const { id: group } = await createGroup('G', [id], { externalId: '00g1' })
    expect((await send('PUT', `/Groups/${group}`, { displayName: 'H', ...body })).body).toMatchObject({
      displayName: 'H',
      externalId: '00g1',
    })
  })

  test.each([
    ['a PUT with an empty text', 'PUT', (userName: string) => ({ userName, externalId: '' })],
    ['a PATCH that removes it', 'PATCH', () => patchOf({ op: 'remove', path: 'externalId' })],
  ])('is removed by %s', async (_, method, bodyOf) => {
    const { send, provision } = await createDirectory(service)
    const { id, userName } = await provision('ada', { externalId: '00u1' })
    expect((await send(method, `/Users/${id}`, bodyOf(userName))).body).not.toHaveProperty('externalId')
  })
})

describe('a PATCH of one attribute of a user changes no other one', () => {
  const name = { formatted: 'Ada Lovelace', givenName: 'Ada', familyName: 'Lovelace' }
  test.each([
    ['userName', 'other', { userName: 'other' }],
    ['externalId', '00u2', { externalId: '00u2' }],
    ['displayName', 'Countess', { displayName: 'Countess' }],
    ['name.givenName', 'Augusta', { name: { ...name, givenName: 'Augusta' } }],
    ['name.familyName', 'King', { name: { ...name, familyName: 'King' } }],
    ['name.formatted', 'Augusta King', { name: { ...name, formatted: 'Augusta King' } }],
    ['emails', [{ value: 'ada@elsewhere.example' }], { emails: [{ value: 'ada@elsewhere.example', primary: false }] }],
    ['active', false, { active: false }],
  ])('%s', async (path, value, changed) => {
    const { send, provision } = await createDirectory(service)
    const { id } = await provision('ada', { externalId: '00u1', displayName: 'Ada', name })
    const { meta: _, ...before } = (await send('GET', `/Users/${id}`)).body
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'replace', path, value }))
    const { meta: __, ...after } = (await send('GET', `/Users/${id}`)).body
    expect(after).toEqual({ ...before, ...changed })
  })
})
