import { describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes/index.ts'
import { fetchApi } from '../support/fetch-api.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam, createTeam } from '../support/team.ts'
import { layWire } from '../support/wire.ts'
import type { Wire } from '../support/wire.ts'

const service = await startService()
const { database, url } = service
const { team, token } = await createOwnedTeam(database)
const fromPage = { Origin: 'https://app.example' }
const ofTeam = `/api/v1/teams/${team.slug}`

/** The header fields of the answer that are about other origins (Fetch §3.3.3), by their names. */
const crossOriginFields = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

const readable = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'X-Request-Id, X-Accepted-Scopes, X-Granted-Scopes, WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, Allow',
}
const allowed = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, PATCH, POST',
  'access-control-allow-headers': 'Authorization, Content-Type, DPoP',
  'access-control-max-age': '7200',
}

type Asked = Omit<RequestInit, 'headers'> & { headers?: Record<string, string>; at?: string }
const ask = (path: string, { at = url, headers, ...init }: Asked = {}) =>
  fetchApi(at + path, { ...init, headers: { Authorization: `Bearer ${token}`, ...fromPage, ...headers } })

describe('a preflight', () => {
  const preflight = (path: string, method: string, headers: Record<string, string> = fromPage) =>
    fetch(url + path, { method: 'OPTIONS', headers: { ...headers, 'Access-Control-Request-Method': method } })

  test.each([
    ...routes.map(({ method, path }) => [method.toUpperCase(), `/api${path.replaceAll(/\{\w+\}/g, 'x')}?page=1`] as const),
    // So that the page is told the 404 or 405 by the request itself.
    ['GET', '/api/v1/nowhere'] as const,
    ['GET', '/api/v1'] as const,
    ['PATCH', '/api/v1/user'] as const,
  ])('of %s %s is allowed to every origin, without a look at the database', async (method, path) => {
    service.statements.length = 0
    const answer = await preflight(path, method)
    expect([answer.status, await answer.text(), crossOriginFields(answer)]).toEqual([204, '', allowed])
    expect(answer.headers.get('x-request-id')).not.toBeNull()
    expect(service.statements).toEqual([])
  })

  test('is one only with Origin and Access-Control-Request-Method: else OPTIONS is a method that no route has', async () => {
    expect((await preflight('/api/v1/user', 'GET', {})).status).toBe(405)
    const { status, headers } = await ask('/api/v1/user', { method: 'OPTIONS' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test.each(['/', '/sign-in', '/api/docs', '/api/v10', '/api/oauth/authorize', '/x/api/v1/user'])('of %s is none of ours', async (path) => {
    expect(crossOriginFields(await preflight(path, 'GET'))).toEqual({})
  })
})

describe('an answer to another origin', () => {
  test('can be read by its page, and what it tells in header fields', async () => {
    const answer = await ask('/api/v1/user')
    expect([answer.status, crossOriginFields(answer)]).toEqual([200, readable])
    expect(crossOriginFields(await ask('/api/v1/user', { headers: { Origin: 'null' } }))).toEqual(readable)
  })

  test('lets every header field be read that the OpenAPI document has', async () => {
    const { components, paths } = await (await ask('/api/openapi.json')).json()
    const responses = Object.values<any>(paths).flatMap((item) =>
      Object.values<any>(item).flatMap(({ responses }) => Object.values<any>(responses)),
    )
    const named = [...responses, ...Object.values<any>(components.responses)].flatMap(({ headers }) => Object.keys(headers ?? {}))
    expect(named).toContain('WWW-Authenticate')
    expect(readable['access-control-expose-headers'].split(', ')).toEqual(expect.arrayContaining([...new Set(named)]))
  })

  test('can be read where it is a refusal', async () => {
    const foreign = await createTeam(database)
    const refusals = [
      [401, '/api/v1/user', { headers: { Authorization: '' } }],
      [401, '/api/v1/user', { headers: { Authorization: 'Bearer nonsense' } }],
      [403, `/api/v1/teams/${foreign.slug}`, {}],
      [404, `${ofTeam}/apps/flow`, {}],
      [404, '/api/v1/nowhere', {}],
      [405, '/api/v1/user', { method: 'PATCH' }],
      [415, ofTeam, { method: 'PATCH', body: '{}', headers: { 'Content-Type': 'text/plain' } }],
      [422, `${ofTeam}/invoices?per_page=0`, {}],
    ] as const
    for (const [status, path, init] of refusals) {
      const answer = await ask(path, init)
      expect([answer.status, crossOriginFields(answer)]).toEqual([status, readable])
    }
  })

  test('can be read where there were too many requests, or the database is away', async () => {
    const wires: Wire[] = []
    const narrow = await startService({ rateLimitApi: 1 }, undefined, async (poolConfig) => {
      const wire = await layWire(poolConfig)
      wires.push(wire)
      return wire.poolConfig
    })
    const headers = { Authorization: `Bearer ${(await createOwnedTeam(narrow.database)).token}` }
    await ask('/api/v1/user', { at: narrow.url, headers })
    const tooMany = await ask('/api/v1/user', { at: narrow.url, headers })
    expect([tooMany.status, crossOriginFields(tooMany)]).toEqual([429, readable])
    await wires[0]?.cut()
    const away = await ask('/api/v1/user', { at: narrow.url, headers })
    expect([away.status, crossOriginFields(away)]).toEqual([503, readable])
    await wires[0]?.mend()
  })

  test('is an ordinary one without Origin, and of what is for our own pages', async () => {
    expect(crossOriginFields(await fetchApi(`${url}/api/v1/user`, { headers: { Authorization: `Bearer ${token}` } }))).toEqual({})
    for (const path of ['/', '/sign-in', '/api/docs', '/graphql/graphiql.css'])
      expect(crossOriginFields(await fetch(url + path, { headers: fromPage }))).toEqual({})
  })

  // Nothing of it hangs on the origin, and nothing but the OpenAPI document is ever kept: no `Vary` is needed.
  test('is not kept, but for the OpenAPI document, which says the same to everybody', async () => {
    const kept = await fetch(`${url}/api/openapi.json`)
    expect(kept.headers.get('access-control-allow-origin')).toBe('*')
    expect((await ask('/api/v1/user')).headers.get('cache-control')).toBe('no-store')
  })
})
