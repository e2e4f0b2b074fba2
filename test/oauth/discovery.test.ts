import { request as httpRequest } from 'node:http'
import { describe, expect, test } from 'vitest'
import { scopes } from '../../schema/scopes.ts'
import { createClient } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const read = async (path: string, { url } = service) => (await fetch(url + path)).json() as Promise<Record<string, any>>
const documents = ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'] as const

/** What Node's fetch does not let a test say: `Host` and the target of the request line. */
const raw = (port: number, path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = httpRequest({ port, host: '127.0.0.1', path, headers }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, body }))
    })
    sent.on('error', reject)
    sent.end()
  })

describe('the discovery documents', () => {
  test('differ in the endpoint of user information alone', async () => {
    const [openid, oauth] = await Promise.all(documents.map((path) => read(path)))
    expect(openid?.['userinfo_endpoint']).toBe(`${service.url}/api/oauth/userinfo`)
    expect(oauth).toEqual({ ...openid, userinfo_endpoint: `${service.url}/api/v1/user` })
  })

  test('say what the server does, and offer nothing that it refuses', async () => {
    const document = await read(documents[0])
    expect(document).toMatchObject({
      issuer: service.url,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'none'],
      id_token_signing_alg_values_supported: expect.arrayContaining(['ES256', 'RS256']),
      scopes_supported: Object.keys(scopes),
      claims_supported: expect.arrayContaining(['sub', 'name', 'email', 'email_verified']),
      subject_types_supported: ['public'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
    })
    expect(document['registration_endpoint']).toBeUndefined()
    expect(document['id_token_signing_alg_values_supported']).not.toContain('none')
  })

  test('name addresses that all answer', async () => {
    for (const document of await Promise.all(documents.map((path) => read(path)))) {
      const addresses = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name)) as [string, string][]
      expect(addresses.length).toBeGreaterThan(8)
      for (const [name, address] of addresses) {
        expect([name, address.startsWith(`${service.url}/`)]).toEqual([name, true])
        const method = /token|revocation|introspection|device|pushed/.test(name) ? 'POST' : 'GET'
        const { status } = await fetch(address, { method, redirect: 'manual' })
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
  test('holds public keys alone', async () => {
    const { keys } = (await read('/.well-known/jwks.json')) as { keys: Record<string, string>[] }
    expect(new Set(keys.map(({ alg }) => alg))).toEqual(new Set(['ES256', 'RS256']))
    for (const key of keys) {
      expect(key).toMatchObject({ use: 'sig', kid: expect.any(String) })
      expect(Object.keys(key).filter((name) => ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'].includes(name))).toEqual([])
    }
  })
})

describe('another method than an endpoint answers', () => {
  test.each([
    ['GET', '/api/oauth/token', 'POST'],
    ['PUT', '/login/oauth/authorize', 'GET, HEAD'],
    ['POST', '/login/oauth/authorize', 'GET, HEAD'],
    ['DELETE', '/.well-known/jwks.json', 'GET, HEAD'],
    ['GET', '/api/oauth/device', 'POST'],
  ])('%s %s is 405', async (method, path, allowed) => {
    const response = await fetch(service.url + path, { method })
    const body: any = await response.json()
    expect([response.status, response.headers.get('allow'), body.code]).toEqual([405, allowed, 'method_not_allowed'])
  })

  test('dynamic registration is not there', async () => {
    for (const path of ['/reg', '/api/oauth/register', '/api/oauth/reg']) {
      expect(
        (await fetch(service.url + path, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status,
      ).toBe(404)
    }
  })
})

describe('behind a proxy that ends TLS', () => {
  test('every address is that of AUTH_URL, whatever Host, target and X-Forwarded-* say', async () => {
    const proxied = await startService({ authUrl: 'https://auth.example', trustProxy: true })
    const port = Number(new URL(proxied.url).port)
    const forwarded = { host: 'auth.example', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' }
    const { status, body } = await raw(port, documents[0], forwarded)
    expect(status).toBe(200)
    const addresses = Object.values(JSON.parse(body)).filter((value) => typeof value === 'string' && value.includes('://'))
    expect(addresses.filter((address) => !String(address).startsWith('https://auth.example'))).toEqual([])
    const absolute = await raw(port, `http://evil.example${documents[0]}`, { host: 'auth.example' })
    expect(absolute.body).not.toContain('evil.example')
    expect((await raw(port, documents[0], { host: 'evil.example' })).status).toBe(421)
  })

  test('a device is sent to https, whatever the proxy says of the request', async () => {
    const proxied = await startService({ authUrl: 'https://auth.example', trustProxy: true })
    const tv = await createClient(proxied.database, {
      confidential: false,
      redirectUris: [],
      grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
    })
    const fields = new URLSearchParams({ client_id: tv.clientId, scope: 'openid' }).toString()
    const body = await new Promise<string>((resolve, reject) => {
      const headers = { host: 'auth.example', 'x-forwarded-proto': 'http', 'content-type': 'application/x-www-form-urlencoded' }
      const { port } = new URL(proxied.url)
      const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', path: '/api/oauth/device', headers }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => resolve(text))
      })
      sent.on('error', reject)
      sent.end(fields)
    })
    const device = JSON.parse(body) as Record<string, string>
    expect(device).toMatchObject({
      verification_uri: 'https://auth.example/login/device',
      verification_uri_complete: `https://auth.example/login/device?user_code=${device['user_code']}`,
    })
  })

  test('cookies are secure', async () => {
    const proxied = await startService({ authUrl: 'https://auth.example', trustProxy: true })
    await createClient(proxied.database)
    const port = Number(new URL(proxied.url).port)
    const cookies = await new Promise<string[]>((resolve, reject) => {
      const sent = httpRequest(
        { port, host: '127.0.0.1', path: '/login/device', headers: { host: 'auth.example', 'x-forwarded-proto': 'https' } },
        (response) => {
          response.resume()
          resolve(response.headers['set-cookie'] ?? [])
        },
      )
      sent.on('error', reject)
      sent.end()
    })
    expect(cookies.some((cookie) => cookie.startsWith('__Host-session='))).toBe(true)
    for (const cookie of cookies) expect(cookie.toLowerCase()).toMatch(/; secure.*; httponly/)
  })
})
