import { beforeAll, describe, expect, test } from 'vitest'
import { enter } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { createKey } from '../../support/oauth/dpop.ts'
import { createDeviceClient, openDeviceConsent } from '../../support/oauth/device.ts'
import { createClient, createPerson, pkce, post, signIn } from '../../support/oauth/oauth.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What anybody can make the service store, besides authorization requests (test/oauth/authorization/pending-limit.slow.test.ts).

const quota = 5
const service = useService({ rateLimitAuthorization: quota, trustProxy: true })
const { database } = service
let app: TestClient
let device: TestClient
let confidential: TestClient
beforeAll(async () => {
  app = await createClient(database, { confidential: false })
  device = await createDeviceClient(database)
  confidential = await createDeviceClient(database, { confidential: true })
})

const from = (address: string) => ({ 'x-forwarded-for': address })
function browserAt(address: string): Browser {
  const browser = new Browser(service.url)
  browser.headers = from(address)
  return browser
}
const push = (client: TestClient, address: string, headers: Record<string, string> = {}) =>
  post(
    service,
    '/api/oauth/par',
    client,
    {
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
    },
    { ...from(address), ...headers },
  )
const startDevice = (client: TestClient, address: string) => post(service, '/api/oauth/device', client, { scope: 'openid' }, from(address))
const count = (kind: string) => database.prisma.oidcModel.count({ where: { kind } })
/** Sends requests until one is refused. */
async function useUp(send: () => Promise<{ status: number }>): Promise<void> {
  for (let sent = 0; sent <= quota; sent++) if ((await send()).status === 429) return
  throw new Error('no request was refused')
}
const tooMany = { error: 'temporarily_unavailable', error_description: 'Too Many Attempts.' }

describe.each([
  { name: 'pushed authorization requests', kind: 'PushedAuthorizationRequest', seconds: 60, status: 201, send: push, clientOf: () => app },
  { name: 'device authorization requests', kind: 'DeviceCode', seconds: 600, status: 200, send: startDevice, clientOf: () => device },
])('$name of public clients', ({ kind, seconds, status, send, clientOf }) => {
  test('beyond the limit of an address are 429 with Retry-After and are not stored', async () => {
    for (let sent = 0; sent < quota; sent++) expect((await send(clientOf(), '192.0.2.1')).status).toBe(status)
    const before = await count(kind)
    for (let sent = 0; sent < quota; sent++) {
      const refused = await send(clientOf(), '192.0.2.1')
      expect([refused.status, refused.body]).toEqual([429, tooMany])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(seconds / 2)
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(seconds)
    }
    expect(await count(kind)).toBe(before)
    expect((await send(clientOf(), '192.0.2.2')).status).toBe(status)
  })

  test('are accepted again when the earlier ones have expired', async () => {
    await useUp(() => send(clientOf(), '192.0.2.3'))
    service.clock.advance(seconds * 1000 + 1000)
    expect((await send(clientOf(), '192.0.2.3')).status).toBe(status)
  })
})

test('the limits of an address do not affect another one', async () => {
  await useUp(() => push(app, '192.0.2.4'))
  await useUp(() => startDevice(device, '192.0.2.4'))
  await useUp(() => browserAt('192.0.2.4').open('/login/device'))
  expect((await push(app, '192.0.2.5')).status).toBe(201)
  expect((await startDevice(device, '192.0.2.5')).status).toBe(200)
})

test('DPoP proofs of pushed requests are limited like these, and are still valid once', async () => {
  const key = createKey()
  const proof = () =>
    new SignJWT({ jti: randomUUID(), htm: 'POST', htu: `${service.url}/api/oauth/par` })
      .setIssuedAt()
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk })
      .sign(key.privateKey)
  const pushWith = (dpop: string) => push(app, '192.0.2.9', { dpop })
  const first = await proof()
  expect((await pushWith(first)).status).toBe(201)
  expect((await pushWith(first)).body).toEqual({ error: 'invalid_dpop_proof', error_description: 'DPoP proof was sent before' })
  for (let sent = 1; sent < quota; sent++) await pushWith(await proof())
  const before = await count('ReplayDetection')
  const refused = await pushWith(await proof())
  expect([refused.status, refused.body, await count('ReplayDetection')]).toEqual([429, tooMany, before])
})

test('requests of confidential clients are authenticated and not limited', async () => {
  const client = await createClient(database)
  for (let sent = 0; sent < quota + 2; sent++) {
    expect((await push(client, '192.0.2.6')).status).toBe(201)
    expect((await startDevice(confidential, '192.0.2.6')).status).toBe(200)
  }
})

describe('pages that start a session without a user', () => {
  test.each(['/login/device', '/login/oauth/logout'])('%s is 429 with Retry-After beyond the limit of an address', async (path) => {
    const address = `192.0.3.${path.length}`
    for (let opened = 0; opened < quota; opened++) expect((await browserAt(address).open(path)).status).toBe(200)
    const before = await count('Session')
    const page = await browserAt(address).open(path)
    expect([page.status, page.root.querySelector('h1')?.text]).toEqual([429, 'Too many attempts'])
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(3500)
    expect(page.headers.getSetCookie()).toEqual([])
    expect(await count('Session')).toBe(before)
  })

  test('a browser that already has such a session, and a signed-in user, are not limited', async () => {
    const [waiting, signedIn] = [browserAt('192.0.2.7'), browserAt('192.0.2.7')]
    const user = await createPerson(database)
    await enter(signedIn, user)
    const { body } = await startDevice(device, '192.0.2.7')
    const form = await waiting.open('/login/device')
    await useUp(() => browserAt('192.0.2.7').open('/login/device'))
    expect((await signedIn.open('/login/device')).status).toBe(200)
    const consent = await signIn(waiting, await waiting.press(form, 'Continue', { Code: body.user_code }), user)
    expect((await waiting.press(consent, 'Allow access')).status).toBe(200)
  })

  test('do not count once the user has signed in, nor do device codes once a user has decided', async () => {
    for (let connected = 0; connected < quota + 2; connected++) {
      const { body, status } = await startDevice(device, '192.0.2.8')
      expect(status).toBe(200)
      const browser = browserAt('192.0.2.8')
      const { consent } = await openDeviceConsent(service, await createPerson(database), body.user_code, browser)
      await browser.press(consent, 'Allow access')
    }
    expect((await browserAt('192.0.2.8').open('/login/device')).status).toBe(200)
    expect(
      await database.prisma.oidcModel.count({ where: { networkHash: { not: null }, payload: { path: ['accountId'], not: '' } } }),
    ).toBe(0)
  })
})
