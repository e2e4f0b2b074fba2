import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../../src/account-site/pages.ts'
import { derivedEndpoints, endpoints } from '../../../src/oidc/provider/endpoints.ts'
import { interactionPath } from '../../../src/web/page-paths.ts'
import { enter, heading, sessionCookie, signedIn } from '../../support/account-site/page-content.ts'
import type { Browser } from '../../support/browser/browser.ts'
import { authorizationUrl, createClient } from '../../support/oauth/oauth.ts'
import { expectNoFault } from '../../support/http/no-fault.ts'
import { fuzzing } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let browser: Browser
beforeAll(async () => {
  ;({ browser } = await signedIn(service))
})

const sign = (name: string, value: string, key: string) =>
  createHmac('sha1', key).update(`${name}=${value}`).digest('base64url').replaceAll('=', '')
/** The cookies of a session that was signed under an earlier SECRET_KEY. */
const underAnotherKey = (value: string) => `session=${value}; session.sig=${sign('session', value, 'another key')}`

const names = ['session', 'session.sig', 'interaction', 'interaction.sig', 'resume', 'resume.sig', 'browser', 'pending-sign-in', 'notice']
const values = fc.oneof(
  fc.constantFrom('', 'x', '"', '%', '%00', '../..', '"><script>', '__proto__', 'A'.repeat(43), 'A'.repeat(5000), 'ÿ', '{}', 'a.b.c'),
  fc.constantFrom('real session').map(() => sessionCookie(browser) ?? ''),
  fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~!#$%&()*+/:<=>?@[]^`{|}'.split('')), maxLength: 60 }),
)
const cookies = fc.oneof(
  fc
    .array(fc.tuple(fc.constantFrom(...names, 'other', '__proto__'), values), { minLength: 1, maxLength: 4 })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('; ')),
  fc
    .tuple(fc.constantFrom('session', 'interaction', 'resume'), values)
    .map(([name, value]) => `${name}=${value}; ${name}.sig=${sign(name, value, 'x')}`),
  fc.constantFrom(';', '=', 'session', '; ;=;', 'x'.repeat(20_000)),
)
const pagePaths = pages.map(({ path }) => path.replaceAll(/:\w+/g, 'x'))
const oauthPaths = Object.values({ ...endpoints, ...derivedEndpoints }).map(({ path }) => path.replaceAll(/:\w+/g, 'x'))
const otherPaths = [
  `${interactionPath}/x`,
  `${interactionPath}/x/consent`,
  `${interactionPath}/x/switch`,
  '/graphql',
  '/api/v1/teams',
  '/x',
]
const requests = fc.record({
  path: fc.oneof(fc.constantFrom(...oauthPaths), fc.constantFrom(...pagePaths, ...otherPaths)),
  method: fc.constantFrom('GET', 'POST'),
  cookie: cookies,
})

interface Sent {
  path: string
  method: string
  cookie: string
}
function respond({ path, method, cookie }: Sent) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: service.url }
  return fetch(service.url + path, {
    method,
    headers: { cookie, accept: 'text/html', ...(method === 'POST' && form) },
    redirect: 'manual',
    ...(method === 'POST' && { body: 'user_code=AAAA-AAAA&confirm=yes' }),
  })
}

const send = async (request: Sent) => {
  const response = await respond(request)
  await response.text()
  return [response.status, response.headers.get('location')]
}

test('no path responds with a fault of the service to cookies that the service did not set', async () => {
  const run = async (request: Sent) => expectNoFault(service, await respond(request), request)
  for (const path of [...oauthPaths, ...pagePaths]) await run({ path, method: 'POST', cookie: underAnotherKey('A'.repeat(43)) })
  await fc.assert(fc.asyncProperty(requests, run), fuzzing({ short: 300, full: 5000 }))
})

describe('a session cookie without a valid signature', () => {
  const stray = [
    ['no signature', () => `session=${sessionCookie(browser)}`],
    ['an invented value and no signature', () => 'session=x'],
    ['a wrong signature', () => `session=${sessionCookie(browser)}; session.sig=x`],
    ['the signature of another SECRET_KEY', () => underAnotherKey(sessionCookie(browser) ?? '')],
  ] as const
  const forms = [
    ['GET', '/login/device/x'],
    ['POST', '/login/device'],
  ] as const

  test.each(stray)('has the same effect as no cookie at the device pages: %s', async (_, cookie) => {
    for (const [method, path] of forms) {
      const withoutSession = await send({ path, method, cookie: '' })
      expect(withoutSession).toEqual([302, '/login/device'])
      expect(await send({ path, method, cookie: cookie() })).toEqual(withoutSession)
    }
  })

  test.each(stray)('does not sign in to the account site, GraphQL or a client: %s', async (_, cookie) => {
    const client = await createClient(service.database)
    const [status, location] = await send({ path: '/security', method: 'GET', cookie: cookie() })
    expect([status, location]).toEqual([303, '/sign-in?return_to=%2Fsecurity'])
    const graphql = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { cookie: cookie(), origin: service.url, 'content-type': 'application/json' },
      body: '{"query":"{ viewer { kind } }"}',
    })
    expect(graphql.status).toBe(401)
    const { pathname, search } = authorizationUrl(service, client, { scope: 'openid', prompt: 'none' }).url
    const [, redirect] = await send({ path: pathname + search, method: 'GET', cookie: cookie() })
    expect(new URL(String(redirect)).searchParams.get('error')).toBe('login_required')
  })
})

test('after a change of SECRET_KEY, users sign in again in the browser that has the earlier cookie', async () => {
  const { user, browser: earlier } = await signedIn(service)
  const value = sessionCookie(earlier) ?? ''
  earlier.cookies.set('session.sig /', { name: 'session.sig', value: sign('session', value, 'earlier key'), path: '/' })
  const client = await createClient(service.database)
  const page = await earlier.open(authorizationUrl(service, client, { scope: 'openid' }).url)
  expect(heading(page)).toEqual([200, 'Sign in'])
  await enter(earlier, user)
  expect(heading(await earlier.open('/security'))).toEqual([200, 'Sign-in and security'])
  expect(sessionCookie(earlier)).not.toBe(value)
})
