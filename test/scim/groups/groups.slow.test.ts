import { describe, expect, test } from 'vitest'
import { createUser, join } from '../../support/data/team.ts'
import { patchOf } from '../../support/scim/directory.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

describe('a group', () => {
  test('is created with members, and read', async () => {
    const { send, provision, createGroup } = await createGroups(service)
    const ada = await provision('ada')
    const { id } = await createGroup('Engineering', [ada.id], { externalId: 'e1' })
    const { body, headers } = await send('GET', `/Groups/${id}`)
    const location = `${service.url}/scim/v2/Groups/${id}`
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id,
      externalId: 'e1',
      displayName: 'Engineering',
      members: [{ value: ada.id, display: ada.userName, type: 'User', $ref: `${service.url}/scim/v2/Users/${ada.id}` }],
      meta: {
        resourceType: 'Group',
        created: expect.any(String),
        lastModified: expect.any(String),
        location,
        version: headers.get('etag'),
      },
    })
    expect((await send('GET', `/Users/${ada.id}`)).body.groups).toEqual([
      { value: id, display: 'Engineering', type: 'direct', $ref: location },
    ])
  })

  test('of the same name is refused with 409 uniqueness, in other case and by a change, too', async () => {
    const { send, createGroup, patch } = await createGroups(service)
    await createGroup('Engineering')
    expect(await send('POST', '/Groups', { displayName: 'ENGINEERING' })).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } })
    const { id } = await createGroup('Sales')
    expect(await patch(id, { op: 'replace', path: 'displayName', value: 'engineering' })).toMatchObject({ status: 409 })
  })

  test('has only users of the team', async () => {
    const { send, createGroup, patch } = await createGroups(service)
    const stranger = await createUser(service.database)
    for (const value of [stranger.id, 'x', ''])
      expect(await send('POST', '/Groups', { displayName: 'G', members: [{ value }] })).toMatchObject({
        status: 400,
        body: { scimType: 'invalidValue' },
      })
    const { id } = await createGroup('G')
    expect(await patch(id, { op: 'add', path: 'members', value: [{ value: id, type: 'Group' }] })).toMatchObject({ status: 400 })
    expect(await prisma.scimGroupMember.count({ where: { groupId: id } })).toBe(0)
  })

  test('can have a member who was invited', async () => {
    const { team, createGroup, membersOf } = await createGroups(service)
    const user = await createUser(service.database)
    await join(service.database, team, user, 'member')
    const { id } = await createGroup('G', [user.id])
    expect(await membersOf(id)).toEqual([user.id])
  })

  test('changes by every form of a PATCH', async () => {
    const { send, provision, createGroup, patch, membersOf } = await createGroups(service)
    const [a, b, c] = [(await provision('a')).id, (await provision('b')).id, (await provision('c')).id]
    const { id } = await createGroup('G')
    const sorted = async () => (await membersOf(id)).toSorted()
    expect((await patch(id, { op: 'Add', path: 'members', value: [{ $ref: null, value: a }] })).status).toBe(204)
    await patch(id, { op: 'add', value: { members: [{ value: b }, { value: a }] } })
    await patch(id, { op: 'add', path: 'members', value: { value: c } })
    expect(await sorted()).toEqual([a, b, c].toSorted())
    await patch(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: a }] })
    await patch(id, { op: 'remove', path: `members[value eq "${b}"]` })
    await patch(id, { op: 'remove', path: `members[value eq "${b}"]` })
    expect(await membersOf(id)).toEqual([c])
    await patch(
      id,
      { op: 'replace', path: 'members', value: [{ value: a }, { value: b }] },
      { op: 'remove', path: `members[value eq "${a}"]` },
    )
    expect(await membersOf(id)).toEqual([b])
    await patch(id, { op: 'replace', value: { id, displayName: 'New' } })
    await patch(id, { op: 'remove', path: 'members' })
    expect((await send('GET', `/Groups/${id}`)).body).toMatchObject({ displayName: 'New', members: [] })
    expect((await send('PUT', `/Groups/${id}`, { displayName: 'Put', members: [{ value: c }] })).body).toMatchObject({ displayName: 'Put' })
    expect(await membersOf(id)).toEqual([c])
  })

  test.each([
    ['a filter', { op: 'remove', path: `members[${Array.from({ length: 30 }, () => 'value eq "a"').join(' or ')}]` }],
    ['a value', { op: 'add', path: 'members', value: [{ value: '1' }] }],
  ])('is not changed by a PATCH that compares too many values with %s', async (_, operation) => {
    const { createGroup, patch } = await createGroups(service)
    const { id } = await createGroup('G')
    const members = Array.from({ length: 20_000 }, (__, index) => ({ value: `${index}` }))
    const many = Array.from({ length: 999 }, () => operation)
    // It would keep the process busy for minutes.
    const { status, body } = await patch(id, { op: 'add', path: 'members', value: members }, ...many)
    expect([status, body.scimType]).toEqual([400, 'tooMany'])
  })

  test('is read without its members', async () => {
    const { send, createGroup, provision } = await createGroups(service)
    await createGroup('G', [(await provision('a')).id])
    const { body } = await send('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "g"')}`)
    expect(Object.keys(body.Resources[0])).toEqual(['schemas', 'id', 'displayName', 'meta'])
  })

  test('is not changed under another version', async () => {
    const { send, createGroup } = await createGroups(service)
    const { id } = await createGroup('G')
    const etag = (await send('GET', `/Groups/${id}`)).headers.get('etag') ?? ''
    const rename = (name: string) =>
      send('PATCH', `/Groups/${id}`, patchOf({ op: 'replace', path: 'displayName', value: name }), { 'If-Match': etag })
    expect((await rename('H')).status).toBe(204)
    expect((await rename('I')).status).toBe(412)
  })
})
