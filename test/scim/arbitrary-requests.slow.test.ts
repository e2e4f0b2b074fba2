import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { parseFilter } from '../../schema/scim/protocol/filter.ts'
import { createDirectory, patchOf } from '../support/scim/directory.ts'
import { useService } from '../support/service/service.ts'

// Whatever a directory sends, the answer is no server error.

const service = useService()
let directory: Awaited<ReturnType<typeof createDirectory>>
let userId: string
let groupId: string
beforeAll(async () => {
  directory = await createDirectory(service)
  userId = (await directory.provision('ada', { externalId: 'x', name: { givenName: 'A' } })).id
  const { body } = await directory.send('POST', '/Groups', { displayName: 'G', members: [{ value: userId }] })
  groupId = body.id
})

const attributes = [
  'id externalId userName displayName active emails emails.value emails.type emails.primary name name.givenName groups groups.value members',
  'members.value members.type meta meta.created meta.lastModified meta.version schemas title foo urn:ietf:params:scim:schemas:core:2.0:User:userName',
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department emails.foo name.givenName.x __proto__ constructor',
].flatMap((line) => line.split(' '))
const attribute = fc.constantFrom(...attributes)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('\0', '\ud800', '%', "'", '\\', '2026-01-31T00:00:00Z', 'true', ''),
)
const value = fc.oneof(
  text.map((each) => JSON.stringify(each)),
  fc.constantFrom('true', 'False', 'null', '1', '1e309', '-0', '"2026-13-45T99:99:99Z"', '"0000-01-01"', 'bare', '"open'),
)
const operator = fc.constantFrom('eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le', 'EQ', 'xx')
const { filter } = fc.letrec<{ filter: string; term: string }>((tie) => ({
  term: fc.oneof(
    fc.tuple(attribute, operator, value).map((parts) => parts.join(' ')),
    attribute.map((name) => `${name} pr`),
    tie('filter').map((inner) => `not (${inner})`),
    tie('filter').map((inner) => `(${inner})`),
    fc.tuple(attribute, tie('filter')).map(([name, inner]) => `${name}[${inner}]`),
  ),
  filter: fc.oneof(
    { maxDepth: 4 },
    tie('term'),
    fc.tuple(tie('term'), fc.constantFrom('and', 'or', 'AND'), tie('term')).map((parts) => parts.join(' ')),
  ),
}))

test('a filter finds resources, or is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/Users', '/Groups'), fc.oneof(filter, text), async (path, sent) => {
      const { status, body } = await directory.send('GET', `${path}?${new URLSearchParams({ filter: sent.toWellFormed() })}`)
      expect([200, 400]).toContain(status)
      if (status === 400) expect(body.scimType).toBe('invalidFilter')
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['/Users', 'emails co "q"', 'not (emails[value co "q"])'],
  ['/Users', 'groups pr', 'groups ne "q"'],
  ['/Groups', 'members co "q"', 'members[display pr]'],
])('a filter of %s that looks into %s or %s too often is refused', async (path, ...terms) => {
  for (const term of terms)
    for (const [times, status] of [
      [10, 200],
      [11, 400],
    ] as const) {
      const query = new URLSearchParams({ filter: Array.from({ length: times }, () => term).join(' or ') })
      expect([term, times, (await directory.send('GET', `${path}?${query}`)).status]).toEqual([term, times, status])
    }
})

test('a filter with very many brackets or characters is refused', () => {
  for (const sent of ['('.repeat(3000), `not ${'('.repeat(500)}`, 'a'.repeat(10_000), 'emails['.repeat(500)])
    expect(() => parseFilter(sent)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }))
})

test('a list is read in any part', async () => {
  const number = fc.oneof(
    fc.integer().map(String),
    fc.constantFrom('', '-1', '0', '1e9', '99999999999999999999', 'x', '1.5', '999999999999999'),
  )
  await fc.assert(
    fc.asyncProperty(number, number, attribute, async (startIndex, count, name) => {
      const { status } = await directory.send('GET', `/Users?${new URLSearchParams({ startIndex, count, attributes: name, sortBy: name })}`)
      expect([200, 400]).toContain(status)
    }),
    { numRuns: 100 },
  )
})

test('a PATCH changes a resource, or is refused', async () => {
  const path = fc.oneof(
    attribute,
    fc.tuple(attribute, filter, attribute).map(([name, inner, part]) => `${name}[${inner}].${part}`),
    filter,
    text,
  )
  const anyValue = fc.oneof(
    fc.jsonValue(),
    text,
    fc.dictionary(attribute, fc.jsonValue(), { maxKeys: 4 }),
    fc.array(fc.record({ value: fc.oneof(text, fc.constant('USER'), fc.jsonValue()), type: text }), { maxLength: 3 }),
  )
  const operation = fc.record(
    { op: fc.constantFrom('add', 'Replace', 'remove', 'move'), path: fc.option(path), value: anyValue },
    { requiredKeys: ['op'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(operation, { maxLength: 4 }), async (isUser, operations) => {
      const body = JSON.stringify(patchOf(...operations)).replaceAll('"USER"', `"${userId}"`)
      const { status } = await directory.send('PATCH', isUser ? `/Users/${userId}` : `/Groups/${groupId}`, body)
      expect([200, 204, 400, 409]).toContain(status)
    }),
    { numRuns: 400 },
  )
})

test('a POST and a PUT change resources, or are refused', async () => {
  const body = fc.oneof(fc.jsonValue(), fc.dictionary(attribute, fc.oneof(fc.jsonValue(), text), { maxKeys: 6 }))
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/Users', '/Groups'), body, async (path, sent) => {
      const text = JSON.stringify(sent)
      expect([201, 400, 409]).toContain((await directory.send('POST', path, text)).status)
      expect([200, 400, 409]).toContain((await directory.send('PUT', `${path}/${path === '/Users' ? userId : groupId}`, text)).status)
    }),
    { numRuns: 150 },
  )
})
