import { describe, expect, test } from 'vitest'
import { createDirectory, patchOf } from '../../support/scim/directory.ts'
import { createGroups } from '../../support/scim/groups.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const list = <Value>(count: number, each: (index: number) => Value) => Array.from({ length: count }, (_, index) => each(index))
const refusal = ({ status, body }: { status: number; body: any }) => [status, body.scimType, body.detail]

describe('a request is refused', () => {
  test('with 413 if its body has more than 100,000 JSON values', async () => {
    const { send } = await createDirectory(service)
    const post = async (values: number) => {
      // The object, a name, the list, and what it contains: an empty list is one value, and brackets in a text are none.
      const ignored = `[${list(values - 4, (n) => ['[ ]', '"[,\\"{"', '0'][n % 3]).join(',')}, ""]`
      return send('POST', '/Groups', `{"displayName": "Group ${values}", "ignored": ${ignored}}`)
    }
    expect((await post(100_000)).status).toBe(201)
    expect(refusal(await post(100_001))).toEqual([413, undefined, 'The request body has more than 100,000 JSON values.'])
  })

  test.each<[string, string, unknown]>([
    ['POST', '/Users', {}],
    ['PUT', '/Groups', {}],
    ['PATCH', '/Groups', patchOf({ op: 'add', value: Object.fromEntries(list(1001, (n) => [`a${n}`, 0])) })],
  ])('by %s %s if an object has more than 1,000 members', async (method, path, body) => {
    const { send, createGroup } = await createGroups(service)
    const { id } = await createGroup('G')
    const content = method === 'PATCH' ? body : { displayName: 'G', userName: 'a', ...Object.fromEntries(list(1000, (n) => [`a${n}`, 0])) }
    expect(refusal(await send(method, method === 'POST' ? path : `${path}/${id}`, content))).toEqual([
      400,
      'invalidValue',
      'An object has at most 1,000 members.',
    ])
  })

  test('if an attribute has too many values, also by several operations', async () => {
    const { send, provision, createGroup, patch } = await createGroups(service)
    const { id } = await provision('ada')
    const tooMany = [400, 'invalidValue', 'emails has at most 20 values.']
    const emails = list(21, (n) => ({ value: `a${n}@a.example`, type: `t${n}` }))
    expect(refusal(await send('POST', '/Users', { userName: 'b', emails }))).toEqual(tooMany)
    const add = emails.map((value) => ({ op: 'add', path: 'emails', value }))
    expect(refusal(await send('PATCH', `/Users/${id}`, patchOf(...add)))).toEqual(tooMany)
    const { id: groupId } = await createGroup('G')
    const members = list(20_001, (n) => ({ value: `${n}` }))
    expect(refusal(await patch(groupId, { op: 'add', path: 'members', value: members }))).toEqual([
      400,
      'invalidValue',
      'members has at most 20,000 values.',
    ])
  })

  test('if a part of a value is longer than any that is stored', async () => {
    const { send, provision } = await createDirectory(service)
    const { id } = await provision('ada')
    const long = 'x'.repeat(256)
    const tooLong = [400, 'invalidValue', 'emails.type has more than 255 characters.']
    expect(refusal(await send('PUT', `/Users/${id}`, { userName: 'ada', emails: [{ value: 'a@a.example', type: long }] }))).toEqual(tooLong)
    expect(refusal(await send('PATCH', `/Users/${id}`, patchOf({ op: 'add', path: 'emails.type', value: long })))).toEqual(tooLong)
  })

  test('if its operations look through more than 500,000 values, and is not if they name the members', async () => {
    const { provision, createGroup, patch, membersOf } = await createGroups(service)
    const ids = [(await provision('ada')).id, (await provision('ben')).id]
    const { id } = await createGroup('G', ids)
    const operations = (count: number) => list(count, (n) => ({ op: 'remove', path: `members[value eq "${n}"]` }))
    const unknown = { op: 'replace', path: 'members', value: list(20_000, (n) => ({ value: `${n}` })) }
    expect(refusal(await patch(id, unknown, ...operations(25))).slice(0, 2)).toEqual([400, 'tooMany'])
    expect((await patch(id, ...operations(998), { op: 'remove', path: `members[value eq "${ids[0]}"]` })).status).toBe(204)
    expect(await membersOf(id)).toEqual([ids[1]])
  })
})
