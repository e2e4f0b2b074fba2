import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import { noCost } from '../../support/http/graphql.ts'
import { startService, useService } from '../../support/service/service.ts'

// Every response states the cost, the limit and the remaining budget, even if the document was not executed.

const service = useService()
const limit = 50_000
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(service.database, { slug: 'acme' }))
})

interface Answer {
  errors?: { extensions: { code: string; cost?: unknown } }[]
  extensions?: { cost?: unknown }
}
async function send(method: string, pathAndQuery: string, headers: Record<string, string>, body?: string) {
  const all = { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers }
  const response = await fetch(`${service.url}/graphql${pathAndQuery}`, { method, headers: all, ...(body !== undefined && { body }) })
  const text = await response.text()
  const answer: Answer | Answer[] = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text)
  return { status: response.status, answer }
}
const post = async (body: unknown, headers: Record<string, string> = {}) => {
  const { status, answer } = await send('POST', '', headers, typeof body === 'string' ? body : JSON.stringify(body))
  return { status, answers: [answer].flat() }
}
const states = ({ errors = [], extensions }: Answer) => [errors[0]?.extensions.code, extensions?.cost]
const free = noCost.cost
const spent = (requested: number) => ({ requested, limit, remaining: limit - requested })
const over = (requested: number) => ({ requested, limit, remaining: limit })
const repeat = (count: number, each: (index: number) => string) => Array.from({ length: count }, (_, index) => each(index)).join(' ')

const withCount = 'query ($a: Int) { team(slug: "acme") { members(perPage: $a) { total } } }'
const persisted = (query: string) => ({ persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } })

/** What each refused request answers, with the status for `application/json` and `application/graphql-response+json`. */
const refused: [name: string, body: unknown, code: string, statuses: [number, number], cost: object][] = [
  ['does not parse', { query: '{' }, 'graphql_parse_failed', [200, 400], free],
  ['has too many tokens', { query: `{ ${'a '.repeat(2_001)} }` }, 'graphql_parse_failed', [200, 400], free],
  ['nests brackets too deeply', { query: '{ a '.repeat(101) }, 'query_too_costly', [200, 400], free],
  ['has too many fields', { query: `{ ${repeat(251, () => 'viewer { kind }')} }` }, 'query_too_costly', [200, 400], free],
  ['selects an unknown field', { query: '{ nothing }' }, 'graphql_validation_failed', [200, 400], free],
  ['introspects with aliases', { query: '{ a: __schema { queryType { name } } }' }, 'graphql_validation_failed', [200, 400], free],
  ['lacks a variable', { query: 'query ($a: String!) { team(slug: $a) { name } }' }, 'bad_user_input', [200, 400], free],
  ['has a variable of another type', { query: withCount, variables: { a: 'x' } }, 'bad_user_input', [200, 400], free],
  [
    'has too many fields in its fragments',
    { query: `{ ${repeat(51, (i) => `a${i}: viewer { ...f }`)} } fragment f on Viewer { ${repeat(9, (i) => `b${i}: kind`)} }` },
    'query_too_costly',
    [200, 400],
    over(510),
  ],
  [
    'costs too much',
    { query: '{ teamsConnection(first: 100) { nodes { members(perPage: 100) { nodes { userId name email role joinedAt } } } } }' },
    'query_too_costly',
    [200, 400],
    over(50_101),
  ],
  [
    'is a subscription without a stream',
    { query: 'subscription { teamEvents(team: "acme") { action } }' },
    'not_acceptable',
    [406, 406],
    free,
  ],
  ['names no known document', { extensions: persisted('unknown') }, 'persisted_query_not_found', [200, 200], free],
  ['has the hash of another document', { query: '{ viewer { kind } }', extensions: persisted('x') }, 'bad_request', [400, 400], free],
  [
    'names another operation',
    { query: 'query A { viewer { kind } }', operationName: 'B' },
    'operation_resolution_failure',
    [400, 400],
    free,
  ],
  [
    'has several operations and names none',
    { query: 'query A { viewer { kind } } query B { viewer { kind } }' },
    'operation_resolution_failure',
    [400, 400],
    free,
  ],
  ['has no query', {}, 'bad_request', [400, 400], free],
  ['has variables that are a list', { query: '{ viewer { kind } }', variables: [] }, 'bad_request', [400, 400], free],
  ['is no JSON', '{', 'bad_request', [400, 400], free],
  ['is too large', { query: `{ viewer { kind } } #${'x'.repeat(120_000)}` }, 'content_too_large', [413, 413], free],
]

describe('a refused request states the cost of a document that', () => {
  test.each(refused)('%s', async (_, body, code, [json, graphqlJson], cost) => {
    const asJson = await post(body)
    expect([asJson.status, asJson.answers.map(states)]).toEqual([json, [[code, cost]]])
    const asGraphql = await post(body, { Accept: 'application/graphql-response+json' })
    expect([asGraphql.status, asGraphql.answers.map(states)]).toEqual([graphqlJson, [[code, cost]]])
  })
})

describe('the cost', () => {
  test('is stated for each operation of a batch, with what is left for the request', async () => {
    const costly = { query: `{ ${repeat(60, (i) => `a${i}: teams { members(perPage: 100) { nodes { name } } }`)} }` }
    const { answers } = await post([{ query: '{ viewer { kind } }' }, { query: '{' }, { query: withCount, variables: { a: 'x' } }, costly])
    const left = { limit, remaining: limit - 2 }
    expect(answers.map(states)).toEqual([
      [undefined, spent(2)],
      ['graphql_parse_failed', { requested: 0, ...left }],
      ['bad_user_input', { requested: 0, ...left }],
      ['query_too_costly', { requested: expect.any(Number), ...left }],
    ])
  })

  test('is stated for GET requests, known documents, refused fields and introspection', async () => {
    const search = (query: string) => `?${new URLSearchParams({ query })}`
    const get = async (query: string) => states([(await send('GET', search(query), {})).answer].flat()[0] ?? {})
    expect(await get('{ nothing }')).toEqual(['graphql_validation_failed', free])
    expect(await get('mutation { updateTeam(input: { team: "acme" }) { team { name } } }')).toEqual(['method_not_allowed', free])
    expect(await get('{ team(slug: "unknown") { name } }')).toEqual(['team_forbidden', spent(2)])
    expect(await get('{ __schema { queryType { name } } }')).toEqual([undefined, spent(30_001)])
    expect(await get('{ __type(name: "Team") { name } }')).toEqual([undefined, spent(4_001)])
    expect(states([(await send('GET', '?query={viewer{kind}}&variables={', {})).answer].flat()[0] ?? {})).toEqual(['bad_request', free])
    const query = '{ viewer { kind } }'
    await post({ query })
    for (let i = 0; i < 5; i++) expect((await post({ extensions: persisted(query) })).answers.map(states)).toEqual([[undefined, spent(2)]])
  })

  test.each([
    ['{', 'graphql_parse_failed', free],
    ['subscription { nothing }', 'graphql_validation_failed', free],
    ['subscription ($a: String!) { teamEvents(team: $a) { action } }', 'bad_user_input', free],
    [
      `subscription { teamEvents(team: "acme") { ...f ...f } } fragment f on TeamEvent { ${repeat(250, (i) => `a${i}: action`)} }`,
      'query_too_costly',
      over(501),
    ],
    ['subscription { teamEvents(team: "unknown") { action } }', 'team_forbidden', spent(2)],
  ])('is stated for the refused subscription %s', async (query, code, cost) => {
    const { answers } = await post({ query }, { Accept: 'text/event-stream' })
    expect(answers.map(states)).toEqual([[code, cost]])
    const others = ['code', 'request_id', ...(code === 'query_too_costly' ? ['cost'] : [])]
    expect(Object.keys(answers[0]?.errors?.[0]?.extensions ?? {}).toSorted()).toEqual(others.toSorted())
  })

  test('is stated for a request without a credential, and for one beyond the rate limit', async () => {
    expect((await post({ query: '{ viewer { kind } }' }, { Authorization: 'Bearer x' })).answers.map(states)).toEqual([
      ['unauthenticated', free],
    ])
    const limited = await startService({ rateLimitApi: 1 })
    const headers = { Authorization: `Bearer ${(await createOwnedTeam(limited.database)).token}` }
    const stated = async () => states(await (await fetch(`${limited.url}/graphql?query={viewer{kind}}`, { headers })).json())
    expect([await stated(), await stated()]).toEqual([
      [undefined, spent(2)],
      ['rate_limited', free],
    ])
  })
})

describe('of several operations in a document', () => {
  const costly = `{ teams { ${repeat(60, (i) => `a${i}: members(perPage: 100) { nodes { name email role userId joinedAt } }`)} } }`
  const query = `query Cheap { viewer { kind } } query Costly ${costly} query Other($a: String!) { team(slug: $a) { name } }`

  test('only the executed one is charged, and only its variables are needed', async () => {
    expect((await post({ query, operationName: 'Cheap' })).answers.map(states)).toEqual([[undefined, spent(2)]])
    expect((await post({ query, operationName: 'Costly' })).answers.map(states)).toMatchObject([['query_too_costly', { remaining: limit }]])
    const other = await post({ query, operationName: 'Other', variables: { a: 'acme' } })
    expect(other.answers).toEqual([{ data: { team: { name: 'Acme' } }, extensions: { cost: spent(2) } }])
    const reversed = 'query Other($a: String!) { team(slug: $a) { name } } query Cheap { viewer { kind } }'
    expect((await post({ query: reversed, operationName: 'Cheap' })).answers.map(states)).toEqual([[undefined, spent(2)]])
  })
})
