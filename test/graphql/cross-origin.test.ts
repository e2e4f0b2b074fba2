import { expect, test } from 'vitest'
import { sessionCookie, signedIn } from '../account-site/shown.ts'
import { accessToken, createGrant } from '../support/oauth-rows.ts'
import { startService } from '../support/service.ts'
import { createUser } from '../support/team.ts'

const service = await startService()
const { database, url } = service

const origin = 'https://app.example'
const operation = { method: 'POST', body: '{"query":"{ viewer { kind } }"}' }
const ask = (headers: Record<string, string>, init: RequestInit = operation) =>
  fetch(`${url}/graphql`, { ...init, headers: { Origin: origin, 'Content-Type': 'application/json', ...headers } })

/** What the browser is told: who may read the answer, and whether cookies count. */
const told = ({ headers }: Response) => [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')]

test('a page of another origin asks with an access token', async () => {
  const token = await accessToken(database, await createGrant(database, await createUser(database)))
  const answer = await ask({ Authorization: `Bearer ${token}` })
  expect([answer.status, told(answer), await answer.json()]).toEqual([200, ['*', null], { data: { viewer: { kind: 'OAUTH' } } }])
  expect(answer.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
  const wrong = await ask({ Authorization: `Bearer ${token}` }, { method: 'POST', body: '{' })
  expect([wrong.status, told(wrong)]).toEqual([400, ['*', null]])
})

test('it asks for leave first; an OPTIONS that is no preflight is refused as ever', async () => {
  service.statements.length = 0
  const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization,content-type,dpop' }
  const leave = await ask(asked, { method: 'OPTIONS' })
  expect([leave.status, told(leave), leave.headers.get('access-control-allow-headers')]).toEqual([
    204,
    ['*', null],
    'Authorization, Content-Type, DPoP',
  ])
  expect(service.statements).toEqual([])
  expect((await ask({}, { method: 'OPTIONS' })).status).toBe(401)
  expect((await fetch(`${url}/graphql`, { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } })).status).toBe(401)
})

test('the cookie of who is signed in is nobody’s there, whatever the page says of itself', async () => {
  const { browser } = await signedIn(service)
  const Cookie = `session=${sessionCookie(browser)}`
  const own = await ask({ Cookie, Origin: url, 'Sec-Fetch-Site': 'same-origin' })
  expect([own.status, await own.json()]).toEqual([200, { data: { viewer: { kind: 'SESSION' } } }])
  const foreign: Record<string, string>[] = [
    {},
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'same-origin' },
    { Origin: 'null' },
  ]
  for (const headers of foreign) {
    const answer = await ask({ Cookie, ...headers })
    const unauthenticated = { message: 'Unauthenticated.', extensions: { code: 'unauthenticated', request_id: expect.any(String) } }
    expect([answer.status, told(answer), await answer.json()]).toEqual([401, ['*', null], { errors: [unauthenticated] }])
    expect(answer.headers.getSetCookie()).toEqual([])
  }
})
