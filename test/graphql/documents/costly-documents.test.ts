import { getIntrospectionQuery } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { createDocumentCache } from '../../../src/graphql/documents/document-cache.ts'
import { parse } from 'graphql'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam, createTeam, createUser, join, personalToken } from '../../support/data/team.ts'

// Short documents that would be expensive to execute.

const service = useService()
const { database } = service
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(database))
})
const repeat = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join(' ')

describe('introspection', () => {
  test('by common tools returns the complete schema', async () => {
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
    ['60 times', `{ ${repeat(60, (i) => `a${i}: __schema { types { name fields { name } } }`)} }`],
    [
      '60 times 60 times',
      `{ __schema { types { ${repeat(60, (i) => `a${i}: fields { type { ...F } }`)} } } } fragment F on __Type { ${repeat(60, (i) => `b${i}: fields { name }`)} }`,
    ],
    ['through fragments', `{ __schema { ...S } } fragment S on __Schema { ${repeat(60, (i) => `a${i}: types { name }`)} }`],
  ])('%s in one document is rejected', async (_, query) => {
    const { data, errors } = await graphql(service, token, query)
    expect([data, errors[0]?.message]).toEqual([null, 'Fields of introspection take no alias here.'])
  })

  test('deeper than tools need is rejected', async () => {
    const { data, errors } = await graphql(
      service,
      token,
      '{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }',
    )
    expect([data, errors[0]?.message]).toEqual([null, 'Maximum introspection depth exceeded'])
  })

  test.each([
    ['of fields', '{ __schema { types { fields { type { fields { name } } } } } }'],
    ['of a single type', '{ __type(name: "Team") { fields { type { ofType { enumValues { name } } } } } }'],
    [
      'in fragments',
      '{ __schema { types { ...A } } } fragment A on __Type { interfaces { ...B } } fragment B on __Type { possibleTypes { name } }',
    ],
  ])('with lists of types within each other, %s, is rejected', async (_, query) => {
    const { data, errors } = await graphql(service, token, query)
    expect([data, errors[0]?.message]).toEqual([null, 'Lists of introspection cannot be nested, such as fields of the types of fields.'])
  })

  test.each([
    ['the schema with 5 types', 5, 1],
    ['13 types', 13, 0],
  ])('of %s costs more than a request may', async (_, count, schemas) => {
    const fields = [...Array(schemas).fill('__schema { queryType { name } }'), repeat(count, (i) => `a${i}: __type(name: "Team") { name }`)]
    const { errors } = await graphql(service, token, `{ ${fields.join(' ')} }`)
    expect(errors).toMatchObject([{ extensions: { code: 'query_too_costly' } }])
  })
})

describe('fields', () => {
  test.each([
    ['in one selection', `{ viewer { ${repeat(500, () => 'kind')} } }`],
    ['in fragments', `{ ...A ...B } ${repeat(2, (i) => `fragment ${'AB'[i]} on Query { ${repeat(126, () => 'viewer { kind }')} }`)}`],
  ])('of which there are too many %s are rejected before the document is validated', async (_, query) => {
    const { errors } = await graphql(service, token, query)
    const message = 'The query selects more than 500 fields. Request fewer fields or rows.'
    expect(errors).toEqual([{ message, extensions: { code: 'query_too_costly', request_id: expect.any(String) } }])
  })
})

describe('brackets', () => {
  test.each([
    ['lists', `{ viewer(a: ${'['.repeat(1_990)}`],
    ['objects', `{ viewer(a: ${'{ a: '.repeat(600)}`],
    ['list types', `query ($a: ${'['.repeat(990)}Int${']'.repeat(990)}) { viewer { kind } }`],
    ['inline fragments', `{ ${'... {'.repeat(600)} viewer { kind } ${'}'.repeat(600)} }`],
  ])('of %s that are nested too deeply are rejected before the document is parsed', async (_, query) => {
    const { errors } = await graphql(service, token, query)
    const message = 'The query nests brackets more than 100 levels deep. Request fewer fields or rows.'
    expect(errors).toEqual([{ message, extensions: { code: 'query_too_costly', request_id: expect.any(String) } }])
  })
})

describe('fragments', () => {
  test.each([
    [
      'that double 100 times',
      (next: string) => `...${next} ...${next}`,
      'Query',
      'viewer { id: userId }',
      '',
      'The query selects more than 500 fields.',
    ],
    [
      'that double under aliases',
      (next: string) => `a: ofType { ...${next} } b: ofType { ...${next} }`,
      '__Type',
      'name',
      '__type(name: "Team")',
      'Fields of introspection take no alias here.',
    ],
  ])('%s are rejected before their cost is computed in full', async (_, twice, type, leaf, root, message) => {
    const fragments = repeat(100, (i) => `fragment f${i} on ${type} { ${i < 99 ? twice(`f${i + 1}`) : leaf} }`)
    const { data, errors } = await graphql(service, token, `{ ${root ? `${root} { ...f0 }` : '...f0'} } ${fragments}`)
    expect([data, errors[0]?.message]).toEqual([null, expect.stringContaining(message)])
  })
})

describe('a member of 150 teams', () => {
  test('can list the teams but not a page of members of each', async () => {
    const user = await createUser(database)
    for (let i = 0; i < 150; i++) await join(database, await createTeam(database), user, 'member')
    const memberToken = await personalToken(database, user)
    const { data, errors } = await graphql(service, memberToken, '{ teams { slug name timezone updatedAt } }')
    expect([errors, data.teams.length]).toEqual([[], 150])
    service.statements.length = 0
    const costly = await graphql(service, memberToken, '{ teams { members(perPage: 100) { nodes { id: userId name email role } } } }')
    expect([costly.status, costly.errors]).toEqual([
      200,
      [
        {
          message: 'The query costs 60151; at most 50000 is left for this request. Request fewer fields or rows.',
          extensions: {
            code: 'query_too_costly',
            cost: { requested: 60_151, limit: 50_000, remaining: 50_000 },
            request_id: expect.any(String),
          },
        },
      ],
    ])
    expect(service.statements.filter((text) => text.includes('FROM members WHERE'))).toEqual([])
  })
})

describe('the document cache', () => {
  const documentOf = (text: string) => parse(text, { noLocation: true })
  const text = (index: number) => `{ a${String(index).padStart(4, '0')} }${' '.repeat(4087)}`

  test('keeps the most recently used documents within its limit of characters', () => {
    const cache = createDocumentCache()
    for (let i = 0; i < 100; i++) {
      cache.set(text(i), documentOf(text(i)))
      expect(cache.get(text(0))).toBeDefined()
    }
    const cachedIndexes = Array.from({ length: 100 }, (_, index) => index).filter((index) => cache.get(text(index)))
    expect(cachedIndexes).toEqual([0, ...Array.from({ length: 63 }, (_, index) => 37 + index)])
  })

  test('does not store a long document', () => {
    const cache = createDocumentCache()
    const long = `{ a }${' '.repeat(8192)}`
    cache.set(long, documentOf(long))
    expect(cache.get(long)).toBeUndefined()
  })
})
