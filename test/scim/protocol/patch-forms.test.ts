import { describe, expect, test } from 'vitest'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

describe('the primary address', () => {
  const work = { value: 'work@a.example', type: 'work', primary: true }
  const home = { value: 'home@a.example', type: 'home', primary: true }
  const primaries = ({ body }: { body: { emails: { value: string; primary?: boolean }[] } }) =>
    body.emails.filter(({ primary }) => primary).map(({ value }) => value)

  test('is the last one of a POST and a PUT that name several', async () => {
    const { send, domain } = await createDirectory(service)
    const [first, second] = [
      { value: `one@${domain}`, primary: true },
      { value: `two@${domain}`, primary: 'True' },
    ]
    const created = await send('POST', '/Users', { userName: 'ada', emails: [first, second] })
    expect([created.status, primaries(created)]).toEqual([201, [`two@${domain}`]])
    expect((await send('GET', `/Users/${created.body.id}`)).body.emails).toEqual(created.body.emails)
    expect(primaries(await send('PUT', `/Users/${created.body.id}`, { userName: 'ada', emails: [second, first] }))).toEqual([
      `one@${domain}`,
    ])
  })

  test.each([
    ['an added value', [{ op: 'add', path: 'emails', value: [home] }]],
    [
      'a part of a value',
      [
        { op: 'add', path: 'emails', value: [{ ...home, primary: false }] },
        { op: 'replace', path: 'emails[type eq "home"].primary', value: 'True' },
      ],
    ],
    [
      'a value that did not exist',
      [
        { op: 'add', path: 'emails[type eq "home"].value', value: home.value },
        { op: 'add', path: 'emails[type eq "home"].primary', value: true },
      ],
    ],
    ['several replaced values', [{ op: 'replace', path: 'emails', value: [work, home] }]],
    ['an added member without a path', [{ op: 'add', value: { emails: [home] } }]],
  ])('moves with a PATCH to %s', async (_, operations) => {
    const { send, provision } = await createDirectory(service)
    const { id } = await provision('ada')
    expect(primaries(await send('PATCH', `/Users/${id}`, patchOf(...operations)))).toEqual([home.value])
  })

  test('moves back when an earlier value is made primary again', async () => {
    const { send, provision, domain } = await createDirectory(service)
    const { id } = await provision('ada')
    await send('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'emails', value: [home] }))
    const operation = { op: 'replace', path: 'emails[type eq "work"].primary', value: true }
    expect(primaries(await send('PATCH', `/Users/${id}`, patchOf(operation)))).toEqual([`ada@${domain}`])
  })
})

test('the parts of a name that are not kept are ignored, as other standard attributes are', async () => {
  const { send, provision } = await createDirectory(service)
  const { id } = await provision('ada', { name: { givenName: 'Ada', familyName: 'Lovelace' } })
  for (const part of ['middleName', 'honorificPrefix', 'honorificSuffix', 'HONORIFICPREFIX'])
    for (const path of [`name.${part}`, `urn:ietf:params:scim:schemas:core:2.0:User:name.${part}`])
      for (const operation of [
        { op: 'replace', path, value: 'x' },
        { op: 'remove', path },
        { op: 'add', value: { [path]: 'x' } },
      ])
        expect(await send('PATCH', `/Users/${id}`, patchOf(operation))).toMatchObject({
          status: 200,
          body: { name: { givenName: 'Ada', familyName: 'Lovelace' } },
        })
  expect(await send('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'name.other', value: 'x' }))).toMatchObject({
    status: 400,
    body: { scimType: 'invalidPath' },
  })
})

test.each([
  ['no schemas', {}],
  ['null', { schemas: null }],
  ['another schema', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'] }],
  ['a text', { schemas: 'urn:ietf:params:scim:api:messages:2.0:PatchOp' }],
  ['an empty list', { schemas: [] }],
])('a PATCH with %s instead of the schema of a PATCH is refused', async (_, schemas) => {
  const { send, provision } = await createDirectory(service)
  const { id } = await provision('ada')
  expect(await send('PATCH', `/Users/${id}`, { ...schemas, Operations: [{ op: 'add', path: 'displayName', value: 'x' }] })).toMatchObject({
    status: 400,
    body: { scimType: 'invalidSyntax', detail: expect.stringContaining('PatchOp') },
  })
  expect((await send('GET', `/Users/${id}`)).body.displayName).toBeUndefined()
})

test('the schema of a PATCH is found in any case and among others', async () => {
  const { send, provision } = await createDirectory(service)
  const { id } = await provision('ada')
  const schemas = ['urn:other', 'urn:ietf:params:scim:api:messages:2.0:patchOp']
  const Operations = [{ op: 'add', path: 'displayName', value: 'x' }]
  expect(await send('PATCH', `/Users/${id}`, { SCHEMAS: schemas, Operations })).toMatchObject({ status: 200 })
})

describe('the members of a group', () => {
  async function createThree() {
    const groups = await createGroups(service)
    const ids = [(await groups.provision('a')).id, (await groups.provision('b')).id, (await groups.provision('c')).id] as const
    const { id } = await groups.createGroup('G', ids)
    const after = async (...operations: object[]) => {
      const { status } = await groups.patch(id, ...operations)
      return [status, (await groups.membersOf(id)).toSorted()]
    }
    return { ids, after }
  }

  test('lose one with its value in "value", in each form of the path', async () => {
    const { ids, after } = await createThree()
    const [a, b, c] = ids
    expect(await after({ op: 'remove', path: 'members.value', value: a })).toEqual([204, [b, c].toSorted()])
    expect(await after({ op: 'Remove', path: 'members.value', value: [{ value: b }] })).toEqual([204, [c]])
    expect(await after({ op: 'remove', path: 'members[type eq "User"]', value: [{ value: a }] })).toEqual([204, [c]])
    expect(await after({ op: 'remove', path: 'members[type eq "User"].value', value: c })).toEqual([204, []])
  })

  test('are all removed without a value only', async () => {
    const { after } = await createThree()
    expect(await after({ op: 'remove', path: 'members.value' })).toEqual([204, []])
  })

  test('keep the others when one is added or named by its part', async () => {
    const { ids, after } = await createThree()
    const [a, b, c] = ids
    await after({ op: 'remove', path: 'members.value', value: c })
    expect(await after({ op: 'add', path: 'members.value', value: c })).toEqual([204, [a, b, c].toSorted()])
    expect(await after({ op: 'replace', path: 'members.value', value: [a] })).toEqual([204, [a]])
  })
})

test('an address is removed by its value, and the others stay', async () => {
  const { send, provision, domain } = await createDirectory(service)
  const { id } = await provision('ada')
  await send('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'emails', value: [{ value: 'b@home.example', type: 'home' }] }))
  const { body } = await send('PATCH', `/Users/${id}`, patchOf({ op: 'remove', path: 'emails.value', value: 'B@home.example' }))
  expect(body.emails).toEqual([{ value: `ada@${domain}`, type: 'work', primary: true }])
})
