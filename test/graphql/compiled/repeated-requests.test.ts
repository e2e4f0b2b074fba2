import { beforeAll, describe, expect, test } from 'vitest'
import { createDocumentCache } from '../../../src/graphql/documents/document-cache.ts'
import { parse } from 'graphql'
import { createInvoice } from '../../support/data/invoice.ts'
import { createOwnedTeam, createTeam, unique } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

// A document is executed in its compiled form from the fourth request on. Clients must not notice.

const service = useService()
let token: string
let slugs: { slug: string; other: string }
beforeAll(async () => {
  const { team, token: ownerToken } = await createOwnedTeam(service.database)
  await createInvoice(service.database, team, {}, [1, 2])
  token = ownerToken
  slugs = { slug: team.slug, other: (await createTeam(service.database)).slug }
})

interface Message {
  body: Record<string, unknown>
  headers?: Record<string, string>
  method?: 'GET' | 'POST'
}

async function send({ body, headers = {}, method = 'POST' }: Message) {
  const parameters = Object.entries(body).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const search = method === 'GET' ? `?${new URLSearchParams(parameters)}` : ''
  const response = await fetch(`${service.url}/graphql${search}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
  const fields = ['content-type', 'cache-control', 'x-content-type-options', 'content-encoding', 'vary'].map((name) =>
    response.headers.get(name),
  )
  const text = (await response.text()).replaceAll(response.headers.get('x-request-id') ?? '', 'REQUEST')
  return { status: response.status, fields, text }
}

/** A document that no other request has sent. */
const isNew = (source: string) => `${source} # ${unique('document')}`
const team =
  'query Team($slug: String!, $perPage: Int) { team(slug: $slug) { slug members(perPage: $perPage) { nodes { name role } total } } }'

describe('five requests with the same document return the same response', () => {
  test.each<[string, Record<string, unknown>, ((names: typeof slugs) => Record<string, unknown>)?]>([
    ['for a query', { query: '{ teams { slug name updatedAt } viewer { kind scopes __typename } }' }],
    ['with variables', { query: team }, ({ slug }) => ({ slug, perPage: 1 })],
    ['with the name of the operation', { query: team, operationName: 'Team' }, ({ slug }) => ({ slug })],
    ['with the name of another operation', { query: team, operationName: 'Other' }, ({ slug }) => ({ slug })],
    ['with an empty operation name', { query: team, operationName: '' }, ({ slug }) => ({ slug })],
    ['with two operations', { query: 'query A { viewer { id: userId } } query B { viewer { kind } }', operationName: 'B' }],
    ['with fragments', { query: '{ viewer { ...A ... on Viewer { kind } } } fragment A on Viewer { name alias: userId kind }' }],
    ['with a directive', { query: 'query ($on: Boolean!) { viewer { kind id: userId @include(if: $on) } }' }, () => ({ on: false })],
    ['with introspection', { query: '{ __type(name: "Team") { name } viewer { kind } }' }],
    ['for a team that is not accessible', { query: team }, ({ other }) => ({ slug: other })],
    ['with a variable of another type', { query: team }, ({ slug }) => ({ slug, perPage: 'many' })],
    ['without a required variable', { query: team }, () => ({})],
    ['with an argument that a rule rejects', { query: team }, ({ slug }) => ({ slug, perPage: 0 })],
    ['with a field that fails beside others', { query: '{ viewer { kind passkeys { id: passkeyId } } teams { slug members { total } } }' }],
    ['with an unknown parameter', { query: '{ viewer { kind } }', id: 1 }],
    ['with extensions', { query: '{ viewer { kind } }', extensions: { client: 'test' } }],
    ['with extensions of another type', { query: '{ viewer { kind } }', extensions: 'test' }],
    ['for a mutation that is refused', { query: 'mutation { leaveTeam(input: { team: "unknown" }) { team { slug } } }' }],
  ])('%s', async (_, body, variables) => {
    const repeated = { ...body, query: isNew(String(body.query)), ...(variables && { variables: variables(slugs) }) }
    const accepted: Record<string, string>[] = [{}, { Accept: 'application/graphql-response+json' }]
    for (const headers of accepted) {
      const first = await send({ body: { ...repeated, query: isNew(String(body.query)) }, headers })
      for (let round = 0; round < 5; round++) expect(await send({ body: repeated, headers })).toEqual(first)
    }
  })

  test.each([
    ['*/*'],
    ['application/json;charset=utf-8'],
    ['application/json; charset=latin1'],
    ['application/graphql-response+json, application/json;q=0.9'],
    ['APPLICATION/JSON , application/graphql-response+json'],
    ['text/html, application/*;q=0.1'],
    ['application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed'],
    ['text/event-stream, application/json'],
    ['text/html'],
    ['image/*, */json'],
    [''],
  ])('for a client that accepts %j', async (Accept) => {
    const query = isNew('{ viewer { kind } }')
    const first = await send({ body: { query: isNew('{ viewer { kind } }') }, headers: { Accept } })
    for (let round = 0; round < 4; round++) await send({ body: { query } })
    expect(await send({ body: { query }, headers: { Accept } })).toEqual(first)
  })

  test('by GET, and compressed', async () => {
    const body = { query: isNew(team), variables: { slug: slugs.slug } }
    const messages: Message[] = [{ body, method: 'GET' }, { body, headers: { 'Accept-Encoding': 'gzip' } }, { body }]
    const first = await Promise.all(messages.map(send))
    for (let round = 0; round < 4; round++) expect(await Promise.all(messages.map(send))).toEqual(first)
  })
})

test('a repeated document reports the same errors as a new one', async () => {
  const repeated = isNew(team)
  for (let round = 0; round < 5; round++) await send({ body: { query: repeated, variables: { slug: slugs.slug } } })
  const { slug, other } = slugs
  for (const variables of [
    { slug: 5 },
    {},
    { slug: null },
    { slug, perPage: 'x' },
    { slug: [], perPage: {} },
    { slug, perPage: 0 },
    { slug: other },
  ]) {
    const first = await send({ body: { query: isNew(team), variables } })
    expect([first.text.includes('"errors"'), first.status]).toEqual([true, 200])
    expect(await send({ body: { query: repeated, variables } })).toEqual(first)
  }
})

test('a repeated document is still refused if its variables make it too costly', async () => {
  const document = isNew('query ($perPage: Int) { teams { members(perPage: $perPage) { nodes { id: userId name email role } } } }')
  for (let round = 0; round < 5; round++) expect((await send({ body: { query: document, variables: { perPage: 1 } } })).status).toBe(200)
  const { status, text } = await send({ body: { query: document, variables: { perPage: 100_000 } } })
  expect([status, text]).toEqual([200, expect.stringContaining('query_too_costly')])
})

describe('the document cache', () => {
  const execute = (cache: ReturnType<typeof createDocumentCache>, source: string, times: number) => {
    if (!cache.get(source)) cache.set(source, parse(source))
    for (let execution = 0; execution < times; execution++) cache.countExecution(source)
    return cache.getCompiled(source)
  }

  test('compiles a query that is executed three times', () => {
    const cache = createDocumentCache()
    expect(execute(cache, team, 2)).toBeNull()
    expect(execute(cache, team, 1)).toMatchObject({ operationName: 'Team', fieldCount: 7 })
    expect(execute(cache, '{ viewer { kind @skip(if: false) } }', 5)).toBeNull()
    expect(execute(cache, '{ __schema { queryType { name } } }', 5)).toBeNull()
    expect(execute(cache, '{ __proto__: viewer { kind } }', 5)).toBeNull()
    expect(execute(cache, 'mutation { leaveTeam(input: { team: "x" }) { team { slug } } }', 5)).toBeNull()
  })

  test('counts the fields of compiled queries towards its limit', () => {
    const cache = createDocumentCache()
    const twenty = (each: (index: number) => string) => Array.from({ length: 20 }, (_, index) => each(index)).join(' ')
    const source = (name: number) =>
      `query Q${1000 + name} { ${twenty((i) => `a${i}: viewer { ...F }`)} } fragment F on Viewer { ${twenty((i) => `b${i}: kind`)} }`
    for (let name = 0; name < 200; name++) execute(cache, source(name), 3)
    const compiled = Array.from({ length: 200 }, (_, name) => cache.getCompiled(source(name))).filter((query) => query !== null)
    expect(compiled.length).toBe(Math.floor((256 * 1024) / (source(0).length + 420 * 8)))
  })
})
