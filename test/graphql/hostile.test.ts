import { getIntrospectionQuery } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createDocumentCache } from '../../src/graphql/document-cache.ts'
import { parse } from 'graphql'
import { graphql } from '../support/graphql.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken } from '../support/team.ts'

// Documents that are short to send and would be long to answer.

const service = await startService()
const { database } = service
const { token } = await createOwnedTeam(database)
const times = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join(' ')

describe('introspection', () => {
  test('as tools ask for it is answered whole', async () => {
    const query = getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
    })
    const { errors, data } = await graphql(service, token, query)
    expect([errors, data.__schema.queryType.name]).toEqual([[], 'Query'])
    const { data: one } = await graphql(service, token, '{ a: __type(name: "Team") { name } b: __type(name: "Role") { name } }')
    expect(one).toEqual({ a: { name: 'Team' }, b: { name: 'Role' } })
  })

  test.each([
    ['sixty times', `{ ${times(60, (i) => `a${i}: __schema { types { name fields { name } } }`)} }`],
    [
      'sixty times sixty',
      `{ __schema { types { ${times(60, (i) => `a${i}: fields { type { ...F } }`)} } } } fragment F on __Type { ${times(60, (i) => `b${i}: fields { name }`)} }`,
    ],
    ['by fragments of its own', `{ __schema { ...S } } fragment S on __Schema { ${times(60, (i) => `a${i}: types { name }`)} }`],
  ])('asked for %s in one document is refused', async (_, query) => {
    const { data, errors } = await graphql(service, token, query)
    expect([data, errors[0]?.message]).toEqual([null, 'Fields of introspection take no alias here.'])
  })

  test('deeper than any tool needs is refused', async () => {
    const { data, errors } = await graphql(
      service,
      token,
      '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
    )
    expect([data, errors[0]?.message]).toEqual([null, 'Maximum introspection depth exceeded'])
  })
})

describe('fragments', () => {
  test.each([
    [
      'that double a hundred times',
      (next: string) => `...${next} ...${next}`,
      'Query',
      'viewer { id }',
      '',
      'The query is too complex: ask for less at once.',
    ],
    [
      'that double under aliases',
      (next: string) => `a: ofType { ...${next} } b: ofType { ...${next} }`,
      '__Type',
      'name',
      '__type(name: "Team")',
      'Fields of introspection take no alias here.',
    ],
  ])('%s are refused at once', async (_, twice, type, leaf, root, message) => {
    const fragments = times(100, (i) => `fragment f${i} on ${type} { ${i < 99 ? twice(`f${i + 1}`) : leaf} }`)
    const startedAt = performance.now()
    const { data, errors } = await graphql(service, token, `{ ${root ? `${root} { ...f0 }` : '...f0'} } ${fragments}`)
    expect([data, errors[0]?.message]).toEqual([null, message])
    expect(performance.now() - startedAt).toBeLessThan(2000)
  })
})

describe('whoever is in hundreds of teams', () => {
  test('may list them, and not a page of each', async () => {
    const person = await createUser(database)
    for (let i = 0; i < 150; i++) await join(database, await createTeam(database), person, 'member')
    const theirs = await personalToken(database, person)
    const { data, errors } = await graphql(service, theirs, '{ teams { slug name timezone updatedAt } }')
    expect([errors, data.teams.length]).toEqual([[], 150])
    service.statements.length = 0
    const flood = await graphql(service, theirs, '{ teams { members(perPage: 100) { nodes { id name email role } } } }')
    expect([flood.status, flood.errors]).toEqual([
      400,
      [{ message: 'The query is too complex: ask for less at once.', extensions: { code: 'query_too_costly' } }],
    ])
    expect(service.statements.filter((text) => text.includes('FROM members WHERE'))).toEqual([])
  })
})

describe('the cache of documents', () => {
  const documentOf = (text: string) => parse(text, { noLocation: true })
  const text = (index: number) => `{ a${String(index).padStart(4, '0')} }${' '.repeat(4087)}`

  test('keeps what was used last, within a quarter of a million characters', () => {
    const cache = createDocumentCache()
    for (let i = 0; i < 100; i++) {
      cache.set(text(i), documentOf(text(i)))
      expect(cache.get(text(0))).toBeDefined()
    }
    const kept = Array.from({ length: 100 }, (_, index) => index).filter((index) => cache.get(text(index)))
    expect(kept).toEqual([0, ...Array.from({ length: 63 }, (_, index) => 37 + index)])
  })

  test('does not keep a long one', () => {
    const cache = createDocumentCache()
    const long = `{ a }${' '.repeat(8192)}`
    cache.set(long, documentOf(long))
    expect(cache.get(long)).toBeUndefined()
  })
})
