import { expect, test } from 'vitest'
import { sessionHeader, signedIn } from '../../support/account-site/page-content.ts'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { noCost } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'
import { createUser } from '../../support/data/team.ts'

const service = useService()
const { database, url } = service

const origin = 'https://app.example'
const operation = { method: 'POST', body: '{"query":"{ viewer { kind } }"}' }
const postOperation = (headers: Record<string, string>, init: RequestInit = operation) =>
  fetch(`${url}/graphql`, { ...init, headers: { Origin: origin, 'Content-Type': 'application/json', ...headers } })

/** The header fields that decide whether a page may read the response and send cookies. */
const corsHeaders = ({ headers }: Response) => [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]

test('a cross-origin page can use the GraphQL endpoint with an access token', async () => {
  const token = await accessToken(database, await createGrant(database, await createUser(database)))
  const response = await postOperation({ Authorization: `Bearer ${token}` })
  expect([response.status, corsHeaders(response), await response.json()]).toMatchObject([
    200,
    ['*', null],
    { data: { viewer: { kind: 'OAUTH' } } },
  ])
  expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  const invalid = await postOperation({ Authorization: `Bearer ${token}` }, { method: 'POST', body: '{' })
  expect([invalid.status, corsHeaders(invalid)]).toEqual([400, ['*', null]])
})

test('a preflight of the GraphQL endpoint returns 204, and other OPTIONS requests return 401', async () => {
  service.statements.length = 0
  const preflightFields = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization,content-type,dpop' }
  const preflight = await postOperation(preflightFields, { method: 'OPTIONS' })
  expect([preflight.status, corsHeaders(preflight), preflight.headers.get('access-control-allow-headers')]).toEqual([
    204,
    ['*', null],
    expect.stringMatching(/^Authorization, Content-Type, DPoP, .*traceparent.*apollographql-client-name/),
  ])
  expect(service.statements).toEqual([])
  expect((await postOperation({}, { method: 'OPTIONS' })).status).toBe(401)
  expect((await fetch(`${url}/graphql`, { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } })).status).toBe(401)
})

test('a preflight allows the header fields that GraphQL clients and tracing libraries send', async () => {
  const sent = ['apollographql-client-name', 'apollographql-client-version', 'apollo-require-preflight', 'last-event-id', 'if-none-match']
  const others = ['if-match', 'idempotency-key', 'traceparent', 'tracestate', 'baggage', 'x-request-id']
  const preflightFields = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': [...sent, ...others].join(',') }
  const { headers } = await postOperation(preflightFields, { method: 'OPTIONS' })
  const allowed = headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
  expect([...sent, ...others].filter((name) => !allowed?.includes(name))).toEqual([])
})

test('a session cookie in a cross-origin GraphQL request is ignored', async () => {
  const { browser } = await signedIn(service)
  const Cookie = sessionHeader(browser)
  const sameOriginResponse = await postOperation({ Cookie, Origin: url, 'Sec-Fetch-Site': 'same-origin' })
  expect([sameOriginResponse.status, await sameOriginResponse.json()]).toMatchObject([200, { data: { viewer: { kind: 'SESSION' } } }])
  const crossOriginHeaders: Record<string, string>[] = [
    {},
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'null' },
  ]
  for (const headers of crossOriginHeaders) {
    const response = await postOperation({ Cookie, ...headers })
    const unauthenticated = { message: 'Unauthenticated.', extensions: { code: 'unauthenticated', request_id: expect.any(String) } }
    expect([response.status, corsHeaders(response), await response.json()]).toEqual([
      401,
      ['*', null],
      { errors: [unauthenticated], extensions: noCost },
    ])
    expect(response.headers.getSetCookie()).toEqual([])
  }
})
