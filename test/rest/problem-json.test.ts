import { beforeAll, describe, expect, test } from 'vitest'
import { createOwnedTeam, createTeam } from '../support/data/team.ts'
import { request } from '../support/http/request.ts'
import { startService, useService } from '../support/service/service.ts'

const service = useService()
let token: string
let path: string
beforeAll(async () => {
  const owned = await createOwnedTeam(service.database)
  token = owned.token
  path = `/api/v1/teams/${owned.team.slug}`
})

const problem = 'application/problem+json'
const send = (
  Accept: string,
  target: string,
  { method = 'GET', ...options }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) => request(service, method, target, { token, ...options, headers: { ...options.headers, Accept } })

describe('an error for a client whose Accept prefers application/problem+json', () => {
  test.each([
    [401, 'Unauthorized', '/api/v1/user', { headers: { Authorization: 'Bearer x' } }],
    [403, 'Forbidden', '/api/v1/teams/unknown', {}],
    [404, 'Not Found', '/api/v1/nowhere', {}],
    [405, 'Method Not Allowed', '/api/v1/user', { method: 'PATCH' }],
    [412, 'Precondition Failed', '', { method: 'PATCH', body: {}, headers: { 'If-Match': '"x"' } }],
    [413, 'Content Too Large', '', { method: 'PATCH', body: { name: 'x'.repeat(110_000) } }],
    [415, 'Unsupported Media Type', '', { method: 'PATCH', body: {}, headers: { 'Content-Type': 'text/plain' } }],
    [422, 'Unprocessable Content', '/members?page=0', {}],
  ])('%i has type, title and status before the usual members', async (status, title, target, options) => {
    const url = target.startsWith('/api') ? target : path + target
    const [plain, { body, headers, ...response }] = [await send('application/json', url, options), await send(problem, url, options)]
    expect([plain.status, response.status, headers.get('content-type')]).toEqual([status, status, problem])
    expect(body).toEqual({ type: 'about:blank', title, status, ...plain.body, request_id: headers.get('x-request-id') })
    expect(Object.keys(body).slice(0, 3)).toEqual(['type', 'title', 'status'])
    expect(plain.headers.get('content-type')).toBe('application/json')
    for (const name of ['www-authenticate', 'allow', 'x-accepted-scopes']) expect(headers.get(name)).toBe(plain.headers.get(name))
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding')
  })

  test('has the members of RFC 9457 with status 429, too', async () => {
    const limited = await startService({ rateLimitApi: 1 })
    const { token } = await createOwnedTeam(limited.database)
    for (const status of [200, 429])
      expect((await request(limited, 'GET', '/api/v1/user', { token, headers: { Accept: problem } })).status).toBe(status)
    expect((await request(limited, 'GET', '/api/v1/user', { token, headers: { Accept: problem } })).body).toMatchObject({
      title: 'Too Many Requests',
      code: 'rate_limited',
    })
  })
})

describe('the media type of an error', () => {
  test.each([
    [problem, problem],
    ['APPLICATION/PROBLEM+JSON', problem],
    [`${problem}, application/json;q=0.9`, problem],
    [`${problem}, */*;q=0.5`, problem],
    ['application/json;q=0.5, application/problem+json', problem],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, application/problem+json', 'application/json'],
    ['application/json, application/problem+json;q=0.9', 'application/json'],
    [`${problem};q=0, */*`, 'application/json'],
    ['text/html', 'application/json'],
    ['nonsense', 'application/json'],
    ['', 'application/json'],
  ])('for Accept: %s is %s', async (accept, type) => {
    const { headers, body } = await send(accept, `${path}/members?page=0`)
    expect([headers.get('content-type'), 'type' in body]).toEqual([type, type === problem])
  })

  test('does not change that of a success', async () => {
    const { status, headers } = await send(problem, path)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  })
})

test('an error for another team has the same members with and without RFC 9457', async () => {
  const other = await createTeam(service.database)
  const { body } = await send(problem, `/api/v1/teams/${other.slug}`)
  expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'message', 'code', 'request_id'])
})
