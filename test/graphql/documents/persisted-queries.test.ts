import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam, unique } from '../../support/data/team.ts'
import { noCost } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(service.database))
})
const hashOf = (query: string) => createHash('sha256').update(query).digest('hex')
const persisted = (hash: string) => ({ persistedQuery: { version: 1, sha256Hash: hash } })
const isNew = () => `{ viewer { kind } } # ${unique('document')}`

async function send(body: unknown, method: 'GET' | 'POST' = 'POST') {
  const search = method === 'GET' ? `?${new URLSearchParams({ extensions: JSON.stringify((body as any).extensions) })}` : ''
  const response = await fetch(`${service.url}/graphql${search}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
const notFound = [
  expect.objectContaining({
    message: 'PersistedQueryNotFound',
    extensions: { code: 'persisted_query_not_found', request_id: expect.any(String) },
  }),
]

describe('an automatic persisted query', () => {
  test('is requested once, and then executed by its hash', async () => {
    const query = isNew()
    const extensions = persisted(hashOf(query))
    const unknown = await send({ extensions })
    expect([unknown.status, unknown.body.errors]).toEqual([200, notFound])
    const first = await send({ query, extensions })
    expect(first.body.data).toEqual({ viewer: { kind: 'PERSONAL_TOKEN' } })
    expect(await send({ extensions })).toEqual(first)
    expect(await send({ extensions }, 'GET')).toEqual(first)
    expect((await send([{ extensions }, { extensions: persisted('0'.repeat(64)) }])).body).toEqual([
      first.body,
      { errors: notFound, extensions: { cost: { ...noCost.cost, remaining: first.body.extensions.cost.remaining } } },
    ])
  })

  test('with the hash of another query returns 400 and is not executed', async () => {
    const query = isNew()
    const { status, body } = await send({ query, extensions: persisted(hashOf(isNew())) })
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'bad_request'])
    expect((await send({ extensions: persisted(hashOf(query)) })).body.errors).toEqual(notFound)
  })

  test('that is not valid is not kept', async () => {
    const query = '{ nothing }'
    expect((await send({ query, extensions: persisted(hashOf(query)) })).body.errors[0].extensions.code).toBe('graphql_validation_failed')
  })

  test.each(['null', '1', '"text"'])('is not looked for in the body %s, which returns 400', async (body) => {
    expect((await send(JSON.parse(body))).status).toBe(400)
  })

  test.each([
    ['version 2', { persistedQuery: { version: 2, sha256Hash: hashOf('{ viewer { kind } }') } }],
    ['no hash', { persistedQuery: { version: 1 } }],
    ['text', { persistedQuery: 'x' }],
    ['null', { persistedQuery: null }],
  ])('with %s and no query returns 400', async (_, extensions) => {
    expect((await send({ extensions })).status).toBe(400)
  })
})
