import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { basicAuthorization } from '../../support/oauth/client-authentication.ts'
import { deviceGrantType } from '../../support/oauth/device.ts'
import { Browser } from '../../support/browser/browser.ts'
import { authorizationUrl, authorize, createClient, createPerson, exchangeCode, pkce } from '../../support/oauth/oauth.ts'
import { expectNoFault } from '../../support/http/no-fault.ts'
import { fuzzing } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import type { User } from '../../../prisma/generated/client/client.ts'

const service = useService()
const { database } = service
const grantTypes = ['authorization_code', 'refresh_token', deviceGrantType]
let client: TestClient
let user: User
let basic: string
let tokens: any
beforeAll(async () => {
  client = await createClient(database, { grantTypes, team: 'optional' })
  user = await createPerson(database)
  basic = basicAuthorization(client.clientId, client.secret)
  ;({ body: tokens } = await exchangeCode(service, client, await authorize(service, client, user)))
})

const postPaths = [
  '/api/oauth/token',
  '/api/oauth/revoke',
  '/api/oauth/introspect',
  '/api/oauth/device',
  '/api/oauth/par',
  '/login/device',
  '/api/oauth/userinfo',
]
const getPaths = [
  '/login/oauth/authorize',
  '/login/oauth/logout',
  '/login/device',
  '/login/oauth/logout/success',
  '/login/oauth/authorize/x',
  '/login/device/x',
]
const parameterNames = `
  client_id client_secret redirect_uri response_type response_mode scope state nonce prompt max_age login_hint acr_values ui_locales
  claims id_token_hint code_challenge code_challenge_method request request_uri registration grant_type code code_verifier
  refresh_token device_code token token_type_hint access_token offline_access user_code xsrf confirm abort logout
  post_logout_redirect_uri logout_hint dpop_jkt client_assertion __proto__`
  .trim()
  .split(/\s+/)
/** Values that exist only after `beforeAll` are functions. */
const resolveValue = (value: string | undefined | (() => string)) => (typeof value === 'function' ? value() : value)
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
  fc
    .constantFrom(
      () => client.clientId,
      () => client.redirectUri,
      'code',
      'S256',
      pkce().challenge,
      'none',
      'login',
      'consent',
      'openid',
      'openid offline_access teams',
    )
    .map(resolveValue),
  fc
    .constantFrom(
      ...grantTypes,
      () => tokens.access_token,
      () => tokens.refresh_token,
      () => tokens.id_token,
      'urn:ietf:params:oauth:request_uri:x',
      'query',
      'form_post',
      'fragment',
    )
    .map(resolveValue),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const authorization = fc
  .constantFrom(
    undefined,
    () => basic,
    'Basic',
    'Basic !',
    'Bearer x',
    () => `Bearer ${tokens.access_token}`,
    'DPoP x',
    'Basic Ojo=',
    `Basic ${Buffer.from('\0:\0').toString('base64')}`,
  )
  .map(resolveValue)
const proof = fc.constantFrom(undefined, 'x', 'a.b.c', 'eyJhbGciOiJub25lIiwidHlwIjoiZHBvcCtqd3QifQ.e30.')
const requests = fc.record({
  path: fc.constantFrom(...postPaths, ...getPaths),
  // When true, the parameters are added to a valid authorization request.
  isValidRequest: fc.boolean(),
  fields: fc.array(fc.tuple(fc.constantFrom(...parameterNames), values), { maxLength: 8 }),
  authorization,
  proof,
  contentType: fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'text/plain', 'multipart/form-data'),
})

describe('an endpoint of the authorization server', () => {
  test('never responds with a server error to random input', async () => {
    await fc.assert(
      fc.asyncProperty(requests, async ({ path, isValidRequest, fields, authorization, proof, contentType }) => {
        const validParameters =
          isValidRequest && path === '/login/oauth/authorize' ? [...authorizationUrl(service, client).url.searchParams] : []
        const parameters = new URLSearchParams([...new Map([...validParameters, ...fields])].map(([name, value]) => [name, String(value)]))
        const headers = { ...(authorization && { authorization }), ...(proof && { dpop: proof }), accept: 'application/json' }
        const isPost = postPaths.includes(path) && !(path === '/login/device' && isValidRequest)
        const response = await fetch(isPost ? service.url + path : `${service.url}${path}?${parameters}`, {
          method: isPost ? 'POST' : 'GET',
          redirect: 'manual',
          headers: isPost ? { ...headers, 'content-type': contentType } : headers,
          ...(isPost && { body: parameters.toString() }),
        })
        await expectNoFault(service, response, { path, parameters: String(parameters) })
      }),
      fuzzing({ short: 300, full: 1500 }),
    )
  })

  test.each(['nonce', 'state', 'login_hint', 'client_id'])('rejects a NUL character in %s', async (name) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, { [name]: 'a\0b' }).url)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('invalid_request')])
  })

  test('rejects a body that is too large and a missing body', async () => {
    for (const path of postPaths) {
      const long = await fetch(service.url + path, {
        method: 'POST',
        headers: { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' },
        body: `x=${'y'.repeat(200_000)}`,
        redirect: 'manual',
      })
      expect([path, long.status]).toEqual([path, expect.toBeOneOf(path === '/login/device' ? [302, 413] : [400, 413])])
      const none = await fetch(service.url + path, { method: 'POST', headers: { authorization: basic }, redirect: 'manual' })
      // The device page redirects to an empty form.
      expect([path, none.status]).toEqual([path, path === '/login/device' ? 302 : expect.toBeOneOf([400, 401])])
    }
  })
})
