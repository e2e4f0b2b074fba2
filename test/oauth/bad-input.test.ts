import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, pkce } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const grantTypes = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code']
const client = await createClient(database, { grantTypes, team: 'optional' })
const person = await createPerson(database)
const basic = `Basic ${Buffer.from(`${client.clientId}:${client.secret}`).toString('base64')}`
const { body: tokens } = await exchangeCode(service, client, await authorize(service, client, person))

const posts = [
  '/api/oauth/token',
  '/api/oauth/revoke',
  '/api/oauth/introspect',
  '/api/oauth/device',
  '/api/oauth/par',
  '/login/device',
  '/api/oauth/userinfo',
]
const gets = [
  '/login/oauth/authorize',
  '/login/oauth/logout',
  '/login/device',
  '/login/oauth/logout/success',
  '/login/oauth/authorize/x',
  '/login/device/x',
]
const names = `
  client_id client_secret redirect_uri response_type response_mode scope state nonce prompt max_age login_hint acr_values ui_locales
  claims id_token_hint code_challenge code_challenge_method request request_uri registration grant_type code code_verifier
  refresh_token device_code token token_type_hint access_token offline_access user_code xsrf confirm abort logout
  post_logout_redirect_uri logout_hint dpop_jkt client_assertion __proto__`
  .trim()
  .split(/\s+/)
const values = fc.oneof(
  fc.constantFrom(
    '',
    '\0',
    'a\0b',
    ' ',
    '%',
    '€',
    '\u202e',
    'x'.repeat(5000),
    '[]',
    '{}',
    'null',
    '-1',
    '1e9',
    'true',
    '../..',
    '<img onerror=x>',
  ),
  fc.constantFrom(
    client.clientId,
    client.redirectUri,
    'code',
    'S256',
    pkce().challenge,
    'none',
    'login',
    'consent',
    'openid',
    'openid offline_access teams',
  ),
  fc.constantFrom(
    ...grantTypes,
    tokens.access_token,
    tokens.refresh_token,
    tokens.id_token,
    'urn:ietf:params:oauth:request_uri:x',
    'query',
    'form_post',
    'fragment',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const authorization = fc.constantFrom(
  undefined,
  basic,
  'Basic',
  'Basic !',
  'Bearer x',
  `Bearer ${tokens.access_token}`,
  'DPoP x',
  'Basic Ojo=',
  `Basic ${Buffer.from('\0:\0').toString('base64')}`,
)
const proof = fc.constantFrom(undefined, 'x', 'a.b.c', 'eyJhbGciOiJub25lIiwidHlwIjoiZHBvcCtqd3QifQ.e30.')
const requests = fc.record({
  path: fc.constantFrom(...posts, ...gets),
  // Most of them what a client would send, and something else beside it.
  isUsual: fc.boolean(),
  fields: fc.array(fc.tuple(fc.constantFrom(...names), values), { maxLength: 8 }),
  authorization,
  proof,
  contentType: fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain', 'multipart/form-data'),
})

describe('whatever is sent to an endpoint', () => {
  test('is answered, and never with a fault', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ path, isUsual, fields, authorization, proof, contentType }) => {
        const usual = isUsual && path === '/login/oauth/authorize' ? [...authorizationUrl(service, client).url.searchParams] : []
        const parameters = new URLSearchParams(new Map([...usual, ...fields]) as never)
        const headers = { ...(authorization && { authorization }), ...(proof && { dpop: proof }), accept: 'application/json' }
        const isPost = posts.includes(path) && !(path === '/login/device' && isUsual)
        const response = await fetch(isPost ? service.url + path : `${service.url}${path}?${parameters}`, {
          method: isPost ? 'POST' : 'GET',
          redirect: 'manual',
          headers: isPost ? { ...headers, 'content-type': contentType } : headers,
          ...(isPost && { body: parameters.toString() }),
        })
        await response.text()
        expect(response.status).toBeLessThan(500)
      }),
      { numRuns: Number(process.env.FUZZ_REQUESTS ?? 1500) },
    )
    expect(service.logged).toEqual([])
  })

  test.each(['nonce', 'state', 'login_hint', 'client_id'])('a NUL in %s is refused', async (name) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, { [name]: 'a\0b' }).url)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('invalid_request')])
  })

  test('a body that is too long, or none, is refused', async () => {
    for (const path of posts) {
      const long = await fetch(service.url + path, {
        method: 'POST',
        headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
        body: `x=${'y'.repeat(200_000)}`,
        redirect: 'manual',
      })
      expect([path, long.status]).toEqual([path, expect.toBeOneOf(path === '/login/device' ? [302, 413] : [400, 413])])
      const none = await fetch(service.url + path, { method: 'POST', headers: { authorization: basic }, redirect: 'manual' })
      // The page of the device begins again.
      expect([path, none.status]).toEqual([path, path === '/login/device' ? 302 : expect.toBeOneOf([400, 401])])
    }
  })
})
