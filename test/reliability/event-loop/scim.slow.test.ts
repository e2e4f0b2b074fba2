import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { useMeasuredService } from '../../support/processes/measured/measured-service.ts'
import { patchOf } from '../../support/scim/directory.ts'
import { createLargeDirectory } from '../../support/scim/large-directory.ts'

const service = useMeasuredService({ RATE_LIMIT_API: '0' })
let directory: Awaited<ReturnType<typeof createLargeDirectory>>
let groupId = ''
beforeAll(async () => {
  directory = await createLargeDirectory(service)
  const { body } = await directory.send('POST', '/Groups', { displayName: 'Large' })
  groupId = body.id
})

const list = <Value>(count: number, each: (index: number) => Value) => Array.from({ length: count }, (_, index) => each(index))
/** The status and the detail of an error. */
const send = async (method: string, path: string, body?: unknown) => {
  const { status, body: error } = await directory.send(method, path, body)
  return [status, status < 400 ? '' : (error.scimType ?? error.detail)]
}
const patch = (...operations: object[]) => send('PATCH', `/Groups/${groupId}`, patchOf(...operations))
const members = (ids: readonly string[]) => ids.map((value) => ({ value }))

describe('a group', () => {
  test('gets 10,000 members in one request', async () => {
    const body = { displayName: 'Everybody', members: members(directory.userIds) }
    expect(
      await service.expectShortTurns(async () => {
        const { body: { id = '' } = {}, status } = await directory.send('POST', '/Groups', { ...body, displayName: randomUUID() })
        await directory.send('DELETE', `/Groups/${id}`)
        return status
      }),
    ).toBe(201)
  })

  test('with 10,000 members is replaced, changed and read', async () => {
    const { userIds } = directory
    const put = (ids: readonly string[]) => send('PUT', `/Groups/${groupId}`, { displayName: 'Large', members: members(ids) })
    expect(await service.expectShortTurns(async () => [await put([]), await put(userIds)].at(-1))).toEqual([200, ''])
    const selected = `members[display co "a${'ж'.repeat(100)}" or value eq "a"]`
    for (const query of ['', '?attributes=members.value', `?attributes=${encodeURIComponent(selected)}`])
      expect(await service.expectShortTurns(() => send('GET', `/Groups/${groupId}${query}`))).toEqual([200, ''])
    const add = { op: 'add', path: 'members', value: members([userIds[0] ?? '']) }
    const remove = { op: 'remove', path: `members[value eq "${randomUUID()}"]` }
    for (const operations of [list(20, () => add), list(20, () => remove)])
      expect(await service.expectShortTurns(() => patch(...operations))).toEqual([204, ''])
  })

  test.each([
    ['adds', { op: 'add', path: 'members', value: members(['1']) }],
    ['selects', { op: 'remove', path: `members[${list(30, () => 'value eq "a"').join(' or ')}]` }],
    ['searches', { op: 'remove', path: `members[${list(2, () => `display co "a${'ж'.repeat(100)}"`).join(' or ')}]` }],
    ['removes', { op: 'remove', path: 'members', value: members(list(10, String)) }],
  ])('is not changed by a thousand operations of which each %s members', async (_, operation) => {
    const added = { op: 'replace', path: 'members', value: list(20_000, (n) => ({ value: `${n}` })) }
    expect(await service.expectShortTurns(() => patch(added, ...list(999, () => operation)))).toEqual([400, 'tooMany'])
  })

  test.each([
    ['names', list(50_000, (n) => [`members[value eq "${n}"]`, null])],
    ['filters', list(300, () => [`members[${list(240, (n) => `value eq "${n}"`).join(' or ')}]`, null])],
  ])('is not changed by an object with thousands of %s', async (_, entries) => {
    const value = Object.fromEntries(entries.map(([name, each], index) => [`${String(name)}${' '.repeat(index % 5)}`, each]))
    const [status] = await service.expectShortTurns(() => patch({ op: 'add', value }))
    expect([204, 400]).toContain(status)
  })

  test.each([
    ['empty objects', `[${list(600_000, () => '{}').join()}]`],
    ['lists within each other', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
    ['one object', JSON.stringify(Object.fromEntries(list(150_000, (n) => [`a${n}`, 0])))],
    ['members', JSON.stringify({ displayName: 'G', members: list(99_000, () => '') })],
    ['email addresses', JSON.stringify({ userName: 'a', emails: list(40_000, () => ({ value: 'a', primary: true })) })],
    ['long values', JSON.stringify({ userName: 'a', emails: list(20, () => ({ value: 'é'.repeat(50_000) })) })],
  ])('is not created from a body of 2 MiB of %s', async (_, body) => {
    for (const path of ['/Groups', '/Users']) {
      const [status] = await service.expectShortTurns(() => send('POST', path, body))
      expect([400, 413]).toContain(status)
    }
  })
})

describe('a list', () => {
  test.each([
    ['/Users', 'no filter', ''],
    ['/Users', 'comparisons of addresses', list(10, () => 'emails[type co "é"]').join(' and ')],
    ['/Users', 'comparisons of names', list(10, (n) => `${n % 2 ? 'userName' : 'displayName'} sw "${n}"`).join(' or ')],
    ['/Users', 'brackets', `${'('.repeat(20)}userName pr${')'.repeat(20)}`],
    ['/Groups', 'no filter', ''],
  ])('of %s is read with %s', async (path, _, filter) => {
    const query = new URLSearchParams({ count: '200', ...(filter && { filter }) })
    expect(await service.expectShortTurns(() => send('GET', `${path}?${query}`))).toEqual([200, ''])
  })

  test.each(['/Users', '/Groups'])('of %s ends before its resources have more than 20,000 references in all', async (path) => {
    const read = async (start: number) => {
      const { body } = await directory.send('GET', `${path}?count=200&startIndex=${start}`)
      const resources: { id: string; groups?: object[]; members?: object[] }[] = body.Resources
      const references = resources.flatMap(({ groups = [], members: all = [] }) => [...groups, ...all])
      return { length: body.itemsPerPage, start: body.startIndex, ids: resources.map(({ id }) => id), references: references.length }
    }
    const page = await read(1)
    expect(page.length).toBe(page.ids.length)
    expect(page.references).toBeGreaterThan(17_000)
    expect(page.references).toBeLessThanOrEqual(20_000)
    // The next page begins with the resource that had no room.
    const [last] = (await read(page.length)).ids
    expect(last).toBe(page.ids.at(-1))
    expect((await read(page.length + 1)).ids).not.toContain(last)
  })

  test('has a group that has more members than the others', async () => {
    const filter = new URLSearchParams({ filter: 'displayName eq "Large"' })
    const { body } = await directory.send('GET', `/Groups?${filter}`)
    expect(body.Resources[0].members).toHaveLength(10_000)
  })
})
