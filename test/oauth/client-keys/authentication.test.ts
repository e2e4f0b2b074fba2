import { describe, expect, test } from 'vitest'
import { createTeam } from '../../support/data/team.ts'
import {
  createAssertion,
  createClientKey,
  keySetOf,
  postWithAssertion,
  sendJson,
  serveKeys,
} from '../../support/oauth/clients/client-keys.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { authorize, createClient, createPerson, post } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// A client proves who it is with a key instead of a secret (private_key_jwt), at every endpoint where clients authenticate.

const service = useService()
const { database } = service
const grant = { grant_type: 'client_credentials' }

describe('an assertion signed with a registered key', () => {
  test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('authenticates the client (%s)', async (alg) => {
    const key = createClientKey(alg)
    const client = await createTeamClient(database, await createTeam(database), { jwks: keySetOf(createClientKey(), key) })
    for (const aud of [service.url, `${service.url}/api/oauth/token`, [service.url, `${service.url}/api/oauth/token`]]) {
      const assertion = await createAssertion(service, client, key, { aud })
      const { status, body } = await postWithAssertion(service, '/api/oauth/token', assertion, grant)
      expect([status, body.token_type]).toEqual([200, 'Bearer'])
    }
    // The secret stays valid, until keys are demanded.
    expect((await requestMachineToken(service, client)).status).toBe(200)
  })

  test('authenticates the client at introspection, revocation, PAR and the device endpoint', async () => {
    const key = createClientKey()
    const client = await createTeamClient(database, await createTeam(database), {
      grantTypes: ['client_credentials', 'authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      redirectUris: ['https://app.example/callback'],
      jwks: keySetOf(key),
    })
    const send = async (path: string, fields: Record<string, string>, aud = service.url) =>
      postWithAssertion(service, path, await createAssertion(service, client, key, { aud }), fields)
    const { body: tokens } = await send('/api/oauth/token', grant)
    expect((await send('/api/oauth/introspect', { token: tokens.access_token })).body).toMatchObject({ active: true })
    expect((await send('/api/oauth/revoke', { token: tokens.access_token })).status).toBe(200)
    expect((await send('/api/oauth/introspect', { token: tokens.access_token })).body).toEqual({ active: false })
    const pushed = {
      client_id: client.clientId,
      response_type: 'code',
      redirect_uri: 'https://app.example/callback',
      scope: 'acct:team:read',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    }
    expect((await send('/api/oauth/par', pushed)).status).toBe(201)
    expect((await send('/api/oauth/par', pushed, `${service.url}/api/oauth/par`)).status).toBe(201)
    const device = await send('/api/oauth/device', { scope: 'acct:team:read' })
    expect([device.status, Object.keys(device.body)]).toEqual([200, expect.arrayContaining(['device_code', 'user_code'])])
  })

  test('authenticates the client when it exchanges a code and refreshes', async () => {
    const key = createClientKey('EdDSA')
    const client = await createClient(database, { jwks: keySetOf(key), requireKeyAuthentication: true })
    const { code, verifier } = await authorize(service, client, await createPerson(database))
    const send = async (fields: Record<string, string>) =>
      postWithAssertion(service, '/api/oauth/token', await createAssertion(service, client, key), fields)
    const exchange = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: client.redirectUri }
    const { status, body } = await send(exchange)
    expect(status).toBe(200)
    expect((await send({ grant_type: 'refresh_token', refresh_token: body.refresh_token })).status).toBe(200)
  })
})

test.each([
  [{ exp: -20 }, 200],
  [{ exp: -40 }, 401],
  [{ nbf: 20 }, 200],
  [{ nbf: 60 }, 401],
  [{ exp: 3600 }, 200],
  [{ exp: 3700 }, 401],
])('the clock of the client may differ by 30 seconds (%j: %s)', async (offsets, status) => {
  const key = createClientKey()
  const client = await createTeamClient(database, await createTeam(database), { jwks: keySetOf(key) })
  const now = Math.floor(Date.now() / 1000)
  const times = Object.fromEntries(Object.entries(offsets).map(([claim, seconds]) => [claim, now + seconds]))
  const response = await postWithAssertion(service, '/api/oauth/token', await createAssertion(service, client, key, times), grant)
  expect(response.status).toBe(status)
})

describe('a client that demands key authentication', () => {
  const paths = ['/api/oauth/token', '/api/oauth/introspect', '/api/oauth/revoke', '/api/oauth/par', '/api/oauth/device']

  test.each(paths)('is refused with its secret at %s', async (path) => {
    const client = await createDeviceClient(database, {
      confidential: true,
      jwks: keySetOf(createClientKey()),
      requireKeyAuthentication: true,
    })
    const expected = [401, { error: 'invalid_client', error_description: 'the client must authenticate with a key (private_key_jwt)' }]
    const fields = { ...grant, token: 'A'.repeat(43), scope: 'openid' }
    const withSecret = await post(service, path, client, fields)
    expect([withSecret.status, withSecret.body]).toEqual(expected)
    const withNothing = await post(service, path, { ...client, secret: null }, fields)
    expect([withNothing.status, withNothing.body]).toEqual(expected)
  })
})

describe('keys at a jwks_uri', () => {
  test('are fetched once, and again for an unknown kid, at most once a minute', async () => {
    const [first, second, third] = [createClientKey(), createClientKey('RS256'), createClientKey()]
    await using host = await serveKeys(sendJson(keySetOf(first), { 'cache-control': 'max-age=86400' }))
    const client = await createTeamClient(database, await createTeam(database), { jwksUri: host.url })
    const statusOf = async (key: typeof first) => {
      const exp = Math.floor(service.clock.now().getTime() / 1000) + 60
      return (await postWithAssertion(service, '/api/oauth/token', await createAssertion(service, client, key, { exp }), grant)).status
    }
    expect([await statusOf(first), await statusOf(first), host.requests]).toEqual([200, 200, 1])
    host.answer = sendJson(keySetOf(second))
    expect([await statusOf(second), await statusOf(second), host.requests]).toEqual([401, 401, 1])
    service.clock.advance(61_000)
    expect([await statusOf(second), host.requests]).toEqual([200, 2])
    expect([await statusOf(first), host.requests]).toEqual([401, 2])
    host.answer = sendJson(keySetOf(third))
    expect([await statusOf(second), host.requests]).toEqual([200, 2])
    service.clock.advance(10 * 60_000)
    // Ten minutes later the key is removed, also without a request that names another one.
    expect([await statusOf(second), host.requests]).toEqual([401, 3])
    expect([await statusOf(third), host.requests]).toEqual([200, 3])
  })

  test('are no longer used ten minutes after the host stopped to answer', async () => {
    const key = createClientKey()
    await using host = await serveKeys(sendJson(keySetOf(key)))
    const client = await createTeamClient(database, await createTeam(database), { jwksUri: host.url })
    const send = async () => {
      const exp = Math.floor(service.clock.now().getTime() / 1000) + 60
      return postWithAssertion(service, '/api/oauth/token', await createAssertion(service, client, key, { exp }), grant)
    }
    expect((await send()).status).toBe(200)
    host.answer = (_, response) => void response.writeHead(500).end()
    service.clock.advance(9 * 60_000)
    expect((await send()).status).toBe(200)
    service.clock.advance(60_000)
    const refused = await send()
    expect([refused.status, refused.body.error_description]).toEqual([
      401,
      "the keys at the client's jwks_uri cannot be read. The response has the status 500.",
    ])
    expect((await send()).status).toBe(401)
    // A failure is the answer for five seconds.
    expect(host.requests).toBe(2)
    host.answer = sendJson(keySetOf(key))
    service.clock.advance(5000)
    expect([(await send()).status, host.requests]).toEqual([200, 3])
  })
})
