import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, createClient, createPerson } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const client = await createClient(database, { redirectUris: ['https://app.example/callback'], optionalScopes: ['teams'] })
const codesOnly = await createClient(database, { grantTypes: ['authorization_code'] })
const native = await createClient(database, {
  confidential: false,
  redirectUris: ['http://127.0.0.1/callback', 'com.example.app:/callback'],
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = `${encode({ alg: 'none' })}.${encode({ iss: service.url, aud: client.clientId, sub: 'x', exp: 9_999_999_999 })}.`

describe('an authorization request that cannot be trusted to redirect', () => {
  test.each([
    ['a slash more', 'https://app.example/callback/'],
    ['another case', 'https://app.example/Callback'],
    ['a port', 'https://app.example:443/callback'],
    ['another port', 'https://app.example:8443/callback'],
    ['a fragment', 'https://app.example/callback#x'],
    ['user information', 'https://x@app.example/callback'],
    ['http', 'http://app.example/callback'],
    ['a query', 'https://app.example/callback?x=1'],
    ['another host', 'https://app.example.evil.example/callback'],
    ['a dot segment', 'https://app.example/x/../callback'],
    ['an escape', 'https://app.example/%63allback'],
    ['nothing', undefined],
  ])('whose redirect_uri has %s shows a page and sends nobody anywhere', async (_, redirect_uri) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, { redirect_uri }).url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
    expect(page.text).toContain(redirect_uri === undefined ? 'invalid_request' : 'invalid_redirect_uri')
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: undefined }],
    ['a client identifier with a NUL', { client_id: 'a\0b' }],
  ])('of %s shows a page', async (_, changes) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, changes).url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
  })

  test('of a disabled client shows a page', async () => {
    const disabled = await createClient(database, { disabledAt: new Date() })
    const page = await new Browser(service.url).open(authorizationUrl(service, disabled).url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
  })

  test.each([
    'http://127.0.0.1:49152/callback/',
    'http://localhost:49152/callback',
    'https://127.0.0.1:49152/callback',
    'com.example.app:/other',
  ])('of a native client whose redirect_uri is %s shows a page', async (redirect_uri) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, native, { redirect_uri }).url)
    expect([page.status, page.url.origin]).toEqual([400, service.url])
  })
})

describe('a native client', () => {
  test.each(['http://127.0.0.1:49152/callback', 'http://127.0.0.1/callback', 'com.example.app:/callback'])(
    'may be called back at %s',
    async (redirect_uri) => {
      const page = await new Browser(service.url).open(authorizationUrl(service, native, { redirect_uri }).url)
      expect([page.status, page.text]).toEqual([200, expect.stringContaining('Password')])
    },
  )
})

describe('an authorization request that is refused at the client', () => {
  test.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without its method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a malformed challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['response_type=token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type=id_token', { response_type: 'id_token', nonce: 'n' }, 'unsupported_response_type'],
    ['response_type=code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['a scope it is not registered for', { scope: 'openid acct:team:write' }, 'invalid_scope'],
    ['offline_access that it is not registered for', { scope: 'openid offline_access' }, 'invalid_scope'],
    ['no scope', { scope: undefined }, 'invalid_scope'],
    ['scopes that nobody knows alone', { scope: 'bogus no:such:scope' }, 'invalid_scope'],
    [
      'offline_access alone, where there are no refresh tokens',
      { client_id: codesOnly.clientId, scope: 'offline_access' },
      'invalid_scope',
    ],
    ['prompt=none without a session', { scope: 'openid', prompt: 'none' }, 'login_required'],
    ['an unknown prompt', { scope: 'openid', prompt: 'maybe' }, 'invalid_request'],
    ['a request object', { scope: 'openid', request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['an ID token that nobody signed as a hint', { scope: 'openid', id_token_hint: unsigned }, 'invalid_request'],
    ['dynamic registration', { scope: 'openid', registration: '{}' }, 'registration_not_supported'],
  ])('for %s', async (_, changes, error) => {
    const { url, state } = authorizationUrl(service, client, { scope: 'openid teams', ...changes })
    const page = await new Browser(service.url).open(url)
    expect(page.url.origin).toBe('https://app.example')
    const { hash, searchParams } = page.url
    const answer = hash ? new URLSearchParams(hash.slice(1)) : searchParams
    expect([answer.get('error'), answer.get('state'), answer.get('iss'), answer.get('code')]).toEqual([error, state, service.url, null])
  })

  test('for scopes that nobody knows goes on without them', async () => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, { scope: 'openid no:such:scope' }).url)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Password')])
  })
})

describe('signing out', () => {
  test('with an ID token that nobody signed is refused', async () => {
    const page = await new Browser(service.url).open(`/login/oauth/logout?id_token_hint=${unsigned}`)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('invalid_request')])
  })
})

describe('consent', () => {
  test('that is denied is access_denied at the client, and nothing is granted', async () => {
    const person = await createPerson(database)
    const browser = new Browser(service.url)
    const { url, state } = authorizationUrl(service, client, { scope: 'openid teams' })
    const consent = await browser.press(await browser.open(url), 'Sign in', {
      'Email address': person.email,
      Password: 'correct horse battery staple',
    })
    const denied = await browser.press(consent, 'Deny')
    expect(Object.fromEntries(denied.url.searchParams)).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state,
      iss: service.url,
    })
    expect(await database.prisma.oAuthGrant.count({ where: { userId: person.id } })).toBe(0)
  })
})
