import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { oauthScopes } from '../../../schema/core/scopes.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { startService, useService } from '../../support/service/service.ts'

const service = useService()
async function read(path: string): Promise<Record<string, any>> {
  return (await fetch(service.url + path)).json()
}
const documents = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const

interface RawRequest {
  path: string
  headers?: Record<string, string>
  method?: string
  body?: string
}

/** Sends a request with a Host header field and a request target that `fetch` does not permit. */
const sendRaw = ({ url }: { url: string }, { body: requestBody = '', ...options }: RawRequest) =>
  new Promise<{ status: number | undefined; body: string; cookies: string[] }>((resolve, reject) => {
    const outgoing = httpRequest({ port: new URL(url).port, host: '127.0.0.1', ...options }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, body, cookies: response.headers['set-cookie'] ?? [] }))
    })
    outgoing.on('error', reject)
    outgoing.end(requestBody)
  })

describe('the discovery documents', () => {
  test('differ only in the userinfo_endpoint', async () => {
    const [openid, oauth] = await Promise.all(documents.map((path) => read(path)))
    expect(openid?.['userinfo_endpoint']).toBe(`${service.url}/api/oauth/userinfo`)
    expect(oauth).toEqual({ ...openid, userinfo_endpoint: `${service.url}/api/v1/user` })
  })

  test('list the supported features and no unsupported ones', async () => {
    const document = await read(documents[0])
    expect(document).toMatchObject({
      issuer: service.url,
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt', 'none'],
      token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt', 'none'],
      revocation_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
      introspection_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['ES256', 'RS256']),
      scopes_supported: oauthScopes,
      registration_endpoint: `${service.url}/api/oauth/register`,
      claims_supported: expect.arrayContaining(['sub', 'name', 'email', 'email_verified']),
      subject_types_supported: ['public'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
    })
    expect(document['id_token_signing_alg_values_supported']).not.toContain('none')
  })

  test('contain only URLs of existing endpoints', async () => {
    for (const document of await Promise.all(documents.map((path) => read(path)))) {
      const endpoints = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name))
      expect(endpoints.length).toBeGreaterThan(8)
      for (const [name, url] of endpoints) {
        expect([name, String(url).startsWith(`${service.url}/`)]).toEqual([name, true])
        const method = /token|revocation|introspection|device|pushed|registration/.test(name) ? 'POST' : 'GET'
        const { status } = await fetch(String(url), { method, redirect: 'manual' })
        expect([name, status]).toEqual([
          name,
          name === 'jwks_uri' || name === 'end_session_endpoint' ? 200 : expect.toSatisfy((code) => [400, 401].includes(code)),
        ])
      }
    }
  })

  test('can be read by pages of any origin', async () => {
    for (const path of [...documents, '/.well-known/jwks.json']) {
      const { headers } = await fetch(service.url + path, { headers: { origin: 'https://app.example' } })
      expect(headers.get('access-control-allow-origin')).toMatch(/^(\*|https:\/\/app\.example)$/)
    }
  })
})

describe('the key set', () => {
  test('contains only public keys', async () => {
    const { keys }: { keys?: Record<string, string>[] } = await read('/.well-known/jwks.json')
    expect(new Set(keys?.map(({ alg }) => alg))).toEqual(new Set(['ES256', 'RS256']))
    for (const key of keys ?? []) {
      expect(key).toMatchObject({ use: 'sig', kid: expect.any(String) })
      expect(Object.keys(key).filter((name) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].includes(name))).toEqual([])
    }
  })
})

describe('an unsupported method or path', () => {
  test.each([
    ['GET', '/api/oauth/token', 'POST'],
    ['PUT', '/login/oauth/authorize', 'GET, POST, HEAD'],
    ['DELETE', '/.well-known/jwks.json', 'GET, HEAD'],
    ['GET', '/api/oauth/device', 'POST'],
  ])('%s %s returns 405', async (method, path, allowed) => {
    const response = await fetch(service.url + path, { method })
    const { code }: { code: string } = await response.json()
    expect([response.status, response.headers.get('allow'), code]).toEqual([405, allowed, 'method_not_allowed'])
  })

  test('of the registration of oidc-provider returns 404', async () => {
    for (const path of ['/reg', '/api/oauth/reg']) {
      expect(
        (await fetch(service.url + path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status,
      ).toBe(404)
    }
  })
})

describe('behind a proxy that terminates TLS', () => {
  const startProxied = () => startService({ authUrl: 'https://auth.example', trustProxy: true })

  test('every URL has the origin of AUTH_URL, whatever Host, request target and X-Forwarded-* contain', async () => {
    const proxied = await startProxied()
    const forwarded = { host: 'auth.example', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
    const { status, body } = await sendRaw(proxied, { path: documents[0], headers: forwarded })
    expect(status).toBe(200)
    const urls = Object.values(JSON.parse(body)).filter((value) => typeof value === 'string' && value.includes('://'))
    expect(urls.filter((url) => !String(url).startsWith('https://auth.example'))).toEqual([])
    const absolute = await sendRaw(proxied, { path: `http://evil.example${documents[0]}`, headers: { host: 'auth.example' } })
    expect(absolute.body).not.toContain('evil.example')
    expect((await sendRaw(proxied, { path: documents[0], headers: { host: 'evil.example' } })).status).toBe(421)
  })

  test('a device receives an https verification_uri, even if the proxy forwards the request as http', async () => {
    const proxied = await startProxied()
    const client = await createDeviceClient(proxied.database)
    const { body } = await sendRaw(proxied, {
      method: 'POST',
      path: '/api/oauth/device',
      headers: { host: 'auth.example', 'x-forwarded-proto': 'http', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: client.clientId, scope: 'openid' }).toString(),
    })
    const device: Record<string, string> = JSON.parse(body)
    expect(device).toMatchObject({
      verification_uri: 'https://auth.example/login/device',
      verification_uri_complete: `https://auth.example/login/device?user_code=${device['user_code']}`,
    })
  })

  test('cookies have the Secure attribute and the __Host- prefix', async () => {
    const proxied = await startProxied()
    const headers = { host: 'auth.example', 'x-forwarded-proto': 'https' }
    const { cookies } = await sendRaw(proxied, { path: '/login/device', headers })
    expect(cookies.some((cookie) => cookie.startsWith('__Host-session='))).toBe(true)
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/; secure.*; httponly/)
  })
})
