import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { fetchApi } from '../support/http/fetch-api.ts'
import { startService, useService } from '../support/service/service.ts'
import { createOwnedTeam, createTeam } from '../support/data/team.ts'
import { startTcpProxy } from '../support/processes/tcp-proxy.ts'
import type { TcpProxy } from '../support/processes/tcp-proxy.ts'
import type { Team } from '../../prisma/generated/client/client.ts'

const service = useService()
const { database, url } = service
let team: Team
let token: string
beforeAll(async () => {
  ;({ team, token } = await createOwnedTeam(database))
})
const fromPage = { Origin: 'https://app.example' }
let teamPath: string
beforeAll(async () => {
  teamPath = `/api/v1/teams/${team.slug}`
})

/** The CORS header fields of a response (Fetch §3.3.3) by name. */
const crossOriginFields = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-Id, X-Accepted-Scopes, X-Granted-Scopes, ETag, Idempotency-Replayed, WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, Allow, Deprecation, Sunset, Link',
}
const allowed = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, PATCH, POST',
  'access-control-allow-headers':
    'Authorization, Content-Type, DPoP, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id, traceparent, tracestate, baggage, apollographql-client-name, apollographql-client-version, apollo-require-preflight',
  'access-control-max-age': '7200',
}

type SendOptions = Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; at?: string }
const send = (path: string, { at = url, headers, ...init }: SendOptions = {}) =>
  fetchApi(at + path, { ...init, headers: { Authorization: `Bearer ${token}`, ...fromPage, ...headers } })

describe('a CORS preflight', () => {
  const preflight = (path: string, method: string, headers: Record<string, string> = fromPage) =>
    fetch(url + path, { method: 'OPTIONS', headers: { ...headers, 'Access-Control-Request-Method': method } })

  test.each([
    ...routes.map(({ method, path }) => [method.toUpperCase(), `/api${path.replaceAll(/\{\w+\}/g, 'x')}?page=1`] as const),
    // Allowed as well, so that the page receives the 404 or 405 of the actual request.
    ['GET', '/api/v1/nowhere'] as const,
    ['GET', '/api/v1'] as const,
    ['PATCH', '/api/v1/user'] as const,
  ])('of %s %s is allowed for every origin without a database statement', async (method, path) => {
    service.statements.length = 0
    const response = await preflight(path, method)
    expect([response.status, await response.text(), crossOriginFields(response)]).toEqual([204, '', allowed])
    expect(response.headers.get('x-request-id')).not.toBeNull()
    expect(service.statements).toEqual([])
  })

  test('requires Origin and Access-Control-Request-Method, and any other OPTIONS request returns 405', async () => {
    expect((await preflight('/api/v1/user', 'GET', {})).status).toBe(405)
    const { status, headers } = await send('/api/v1/user', { method: 'OPTIONS' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each(['/', '/sign-in', '/api/docs', '/api/v10', '/api/oauth/authorize', '/x/api/v1/user'])(
    'of %s, which is not an API route, has no CORS header fields',
    async (path) => {
      expect(crossOriginFields(await preflight(path, 'GET'))).toEqual({})
    },
  )
})

describe('a REST response', () => {
  test('can be read by a page of another origin, including the exposed header fields', async () => {
    const response = await send('/api/v1/user')
    expect([response.status, crossOriginFields(response)]).toEqual([200, readable])
    expect(crossOriginFields(await send('/api/v1/user', { headers: { Origin: 'null' } }))).toEqual(readable)
  })

  test('exposes every header field of the OpenAPI document', async () => {
    const { components, paths } = await (await send('/api/openapi.json')).json()
    const responses = Object.values<any>(paths).flatMap((item) =>
      Object.values<any>(item).flatMap(({ responses }) => Object.values<any>(responses)),
    )
    const headerNames = [...responses, ...Object.values<any>(components.responses)].flatMap(({ headers }) => Object.keys(headers ?? {}))
    expect(headerNames).toContain('WWW-Authenticate')
    expect(readable['access-control-expose-headers'].split(', ')).toEqual(expect.arrayContaining([...new Set(headerNames)]))
  })

  test('can be read by a page of another origin if it is an error', async () => {
    const otherTeam = await createTeam(database)
    const refusals = [
      [401, '/api/v1/user', { headers: { Authorization: '' } }],
      [401, '/api/v1/user', { headers: { Authorization: 'Bearer invalid' } }],
      [403, `/api/v1/teams/${otherTeam.slug}`, {}],
      [404, `${teamPath}/apps/flow`, {}],
      [404, '/api/v1/nowhere', {}],
      [405, '/api/v1/user', { method: 'PATCH' }],
      [415, teamPath, { method: 'PATCH', body: '{}', headers: { 'Content-Type': 'text/plain' } }],
      [422, `${teamPath}/invoices?per_page=0`, {}],
    ] as const
    for (const [status, path, init] of refusals) {
      const response = await send(path, init)
      expect([response.status, crossOriginFields(response)]).toEqual([status, readable])
    }
  })

  test('can be read by a page of another origin if its status is 429 or 503', async () => {
    const proxies: TcpProxy[] = []
    const limited = await startService({
      rateLimitApi: 1,
      connectThrough(poolConfig) {
        const proxy = startTcpProxy(poolConfig)
        proxies.push(proxy)
        return proxy.poolConfig
      },
    })
    const headers = { Authorization: `Bearer ${(await createOwnedTeam(limited.database)).token}` }
    await send('/api/v1/user', { at: limited.url, headers })
    const tooMany = await send('/api/v1/user', { at: limited.url, headers })
    expect([tooMany.status, crossOriginFields(tooMany)]).toEqual([429, readable])
    await proxies[0]?.disconnect()
    const unavailable = await send('/api/v1/user', { at: limited.url, headers })
    expect([unavailable.status, crossOriginFields(unavailable)]).toEqual([503, readable])
    await proxies[0]?.restore()
  })

  test('has no CORS header fields without Origin, and neither do pages of the service', async () => {
    expect(crossOriginFields(await fetchApi(`${url}/api/v1/user`, { headers: { Authorization: `Bearer ${token}` } }))).toEqual({})
    for (const path of ['/', '/sign-in', '/api/docs', '/graphql/start.js'])
      expect(crossOriginFields(await fetch(url + path, { headers: fromPage }))).toEqual({})
  })

  // No `Vary` is needed: the header fields do not depend on the origin, and only the OpenAPI document is cacheable.
  test('is not cacheable, except for the OpenAPI document, which is the same for every origin', async () => {
    const cacheable = await fetch(`${url}/api/openapi.json`)
    expect(cacheable.headers.get('access-control-allow-origin')).toBe('*')
    expect((await send('/api/v1/user')).headers.get('cache-control')).toBe('no-store')
  })
})
