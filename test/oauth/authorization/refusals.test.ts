import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { authorizationUrl, createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'

const service = useService()
const { database } = service
const clientId = unique('client')
let client: TestClient
let native: TestClient
beforeAll(async () => {
  client = await createClient(database, { clientId, redirectUris: ['https://app.example/callback'], optionalScopes: ['teams'] })
  await createClient(database, { clientId: 'codes-only', grantTypes: ['authorization_code'] })
  native = await createClient(database, {
    confidential: false,
    redirectUris: ['http://127.0.0.1/callback', 'com.example.app:/callback'],
  })
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = `${encode({ alg: 'none' })}.${encode({ iss: service.url, aud: clientId, sub: 'x', exp: 9_999_999_999 })}.`

describe('an authorization request with an invalid client or redirect URI', () => {
  test.each([
    ['an additional slash', 'https://app.example/callback/'],
    ['an uppercase letter', 'https://app.example/Callback'],
    ['the default port', 'https://app.example:443/callback'],
    ['another port', 'https://app.example:8443/callback'],
    ['a fragment', 'https://app.example/callback#x'],
    ['user information', 'https://x@app.example/callback'],
    ['the http scheme', 'http://app.example/callback'],
    ['a query', 'https://app.example/callback?x=1'],
    ['another host', 'https://app.example.evil.example/callback'],
    ['a dot segment', 'https://app.example/x/../callback'],
    ['a percent-encoded letter', 'https://app.example/%63allback'],
    ['no value', undefined],
  ])('shows an error page and does not redirect when the redirect_uri has %s', async (_, redirect_uri) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, { redirect_uri }).url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
    expect(page.text).toContain(redirect_uri === undefined ? 'invalid_request' : 'invalid_redirect_uri')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['a client identifier with a NUL', { client_id: 'a\0b' }],
  ])('shows an error page for %s', async (_, changes) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, changes).url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
  })

  test('shows an error page for a disabled client', async () => {
    const disabled = await createClient(database, { disabledAt: new Date() })
    const page = await new Browser(service.url).open(authorizationUrl(service, disabled).url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
  })

  test.each([
    'http://127.0.0.1:49152/callback/',
    'http://localhost:49152/callback',
    'https://127.0.0.1:49152/callback',
    'com.example.app:/other',
  ])('shows an error page for a native client with the redirect_uri %s', async (redirect_uri) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, native, { redirect_uri }).url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
  })
})

describe('a native client', () => {
  test.each(['http://127.0.0.1:49152/callback', 'http://127.0.0.1/callback', 'com.example.app:/callback'])(
    'may use the redirect_uri %s',
    async (redirect_uri) => {
      const page = await new Browser(service.url).open(authorizationUrl(service, native, { redirect_uri }).url)
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Password')])
    },
  )
})

describe('an authorization request with a valid redirect URI', () => {
  test.each([
    ['a missing PKCE challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain PKCE challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a PKCE challenge without its method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a malformed PKCE challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type=id_token', { response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['response_type=code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['a scope that the client is not registered for', { scope: 'openid acct:team:write' }, 'invalid_scope'],
    ['offline_access when the client is not registered for it', { scope: 'openid offline_access' }, 'invalid_scope'],
    ['a missing scope', { scope: undefined }, 'invalid_scope'],
    ['unknown scopes only', { scope: 'bogus no:such:scope' }, 'invalid_scope'],
    [
      'offline_access only, for a client without the refresh token grant',
      { client_id: 'codes-only', scope: 'offline_access' },
      'invalid_scope',
    ],
    ['prompt=none without a session', { scope: 'openid', prompt: 'none' }, 'login_required'],
    ['an unknown prompt', { scope: 'openid', prompt: 'maybe' }, 'invalid_request'],
    ['a request object', { scope: 'openid', request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['an unsigned ID token as a hint', { scope: 'openid', id_token_hint: unsigned }, 'invalid_request'],
    ['dynamic registration', { scope: 'openid', registration: '{}' }, 'registration_not_supported'],
  ])('redirects to the client with an error for %s', async (_, changes, error) => {
    const { url, state } = authorizationUrl(service, client, { scope: 'openid teams', ...changes })
    const page = await new Browser(service.url).open(url)
    expect(page.url.origin).toBe('https://app.example')
    const { hash, searchParams } = page.url
    const response = hash ? new URLSearchParams(hash.slice(1)) : searchParams
    expect([response.get('error'), response.get('state'), response.get('iss'), response.get('code')]).toEqual([
      error,
      state,
      service.url,
      null,
    ])
  })

  test('continues without unknown scopes when it also contains a known scope', async () => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, { scope: 'openid no:such:scope' }).url)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Password')])
  })
})

describe('GET /login/oauth/logout', () => {
  test('shows an error page for an unsigned ID token as a hint', async () => {
    const page = await new Browser(service.url).open(`/login/oauth/logout?id_token_hint=${unsigned}`)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('invalid_request')])
  })
})

describe('denying consent', () => {
  test('returns access_denied to the client and creates no grant', async () => {
    const user = await createPerson(database)
    const browser = new Browser(service.url)
    const { url, state } = authorizationUrl(service, client, { scope: 'openid teams' })
    const consent = await signIn(browser, await browser.open(url), user)
    const denied = await browser.press(consent, 'Deny')
    expect(Object.fromEntries(denied.url.searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state,
      iss: service.url,
    })
    expect(await database.prisma.oAuthGrant.count({ where: { userId: user.id } })).toBe(0)
  })
})
