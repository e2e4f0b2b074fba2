import { describe, expect, test } from 'vitest'
import { tokenInState } from '../../support/oauth/access-token-states.ts'
import { invalidGrant } from '../../support/oauth/clients/connect-client.ts'
import { Browser } from '../../support/browser/browser.ts'
import { copyCookies } from '../../support/oauth/authorization.ts'
import { travel } from '../../support/service/clock.ts'
import { createDeviceClient } from '../../support/oauth/device.ts'
import { createClient, post } from '../../support/oauth/oauth.ts'
import { startService, useService } from '../../support/service/service.ts'

const service = useService({ rateLimitClientSecret: 3, rateLimitUserCode: 3, trustProxy: true })
const { database } = service

const requestToken = (client: { clientId: string; secret: string | null }, address: string) =>
  post(service, '/api/oauth/token', client, { grant_type: 'refresh_token', refresh_token: 'unknown' }, { 'x-forwarded-for': address })

describe('repeated client authentication with a wrong secret', () => {
  test('returns 429 for this client and IP address only, until the minute has passed', async () => {
    const client = await createClient(database)
    const wrong = { clientId: client.clientId, secret: 'wrong' }
    for (let attempt = 0; attempt < 3; attempt++) expect((await requestToken(wrong, '192.0.2.1')).body.error).toBe('invalid_client')
    const throttled = await requestToken(wrong, '192.0.2.1')
    expect([throttled.status, throttled.body]).toEqual([429, { error: 'temporarily_unavailable', error_description: 'Too Many Attempts.' }])
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await requestToken(wrong, '192.0.2.2')).status).toBe(401)
    const other = await createClient(database)
    expect((await requestToken({ clientId: other.clientId, secret: 'wrong' }, '192.0.2.1')).status).toBe(401)
    travel(61_000)
    expect((await requestToken(wrong, '192.0.2.1')).body.error).toBe('invalid_client')
  })

  test('does not lock out the correct secret, which may come from another network behind the same proxy', async () => {
    const { token, ...client } = await tokenInState(database, 'valid')
    const introspect = (secret: string) =>
      post(service, '/api/oauth/introspect', { ...client, secret }, { token }, { 'x-forwarded-for': '192.0.2.4' })
    for (let attempt = 0; attempt < 4; attempt++) expect((await introspect('wrong')).status).toBe(attempt < 3 ? 401 : 429)
    expect((await introspect(client.secret)).body.active).toBe(true)
    expect((await requestToken(client, '192.0.2.4')).body).toEqual(invalidGrant)
    expect((await introspect('wrong')).status).toBe(429)
  })

  test('counts each of 20 simultaneous requests', async () => {
    const { clientId } = await createClient(database)
    const responses = await Promise.all(Array.from({ length: 20 }, () => requestToken({ clientId, secret: 'wrong' }, '192.0.2.3')))
    expect(responses.filter(({ status }) => status === 401).length).toBe(3)
    expect(responses.filter(({ status }) => status === 429).length).toBe(17)
  })
})

describe('the limit of attempts per IP address', () => {
  // The addresses in the list share one limit; the last address of each row has its own.
  test.each([
    ['addresses of one IPv6 /64 network', ['2001:db8:1:2::1', '2001:DB8:0001:2:ffff::2', '2001:db8:1:2:3:4:5:6'], '2001:db8:1:3::1'],
    [
      'addresses of one IPv6 /64 network written with zeros',
      ['2001:db8::1', '2001:db8:0:0:1::', '2001:0db8:0000:0000:ffff:ffff:ffff:ffff'],
      '2001:db8:0:1::1',
    ],
    ['link-local IPv6 addresses with different zones', ['fe80::1', 'fe80::2%eth0', 'fe80::3%eth1'], 'fe80:0:0:1::1'],
    [
      'an IPv4 address and its IPv4-mapped IPv6 form',
      ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:198.51.100.7'],
      '::ffff:198.51.100.8',
    ],
    [
      'an IPv4 address and its hexadecimal IPv4-mapped form',
      ['198.51.100.9', '::ffff:c633:6409', '0:0:0:0:0:ffff:c633:6409'],
      '::ffff:c633:640a',
    ],
    [
      'an address that a proxy forwards with different ports',
      ['198.51.100.11:4711', '198.51.100.11:4712', '[::ffff:198.51.100.11]:4713'],
      '198.51.100.12:4711',
    ],
  ])('is shared by %s', async (_, same, other) => {
    const { clientId } = await createClient(database)
    const attempt = async (address: string) => (await requestToken({ clientId, secret: 'wrong' }, address)).status
    for (const address of same) expect([address, await attempt(address)]).toEqual([address, 401])
    for (const address of same) expect([address, await attempt(address)]).toEqual([address, 429])
    expect(await attempt(other)).toBe(401)
  })

  test('ignores X-Forwarded-For when no proxy is trusted', async () => {
    const direct = await startService({ rateLimitClientSecret: 3 })
    const { clientId } = await createClient(direct.database)
    const statuses: number[] = []
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) {
      const headers = { 'x-forwarded-for': address }
      const fields = { grant_type: 'refresh_token', refresh_token: 'unknown' }
      statuses.push((await post(direct, '/api/oauth/token', { clientId, secret: 'wrong' }, fields, headers)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

describe('repeated entry of a user code', () => {
  const enterCode = async (browser: Browser, code: string) => browser.press(await browser.open('/login/device'), 'Continue', { Code: code })
  const browserAt = (address: string) => {
    const browser = new Browser(service.url)
    browser.headers = { 'x-forwarded-for': address }
    return browser
  }

  test('returns 429 for this session and this IP address after three wrong codes, even for a correct code', async () => {
    const client = await createDeviceClient(database)
    const { body } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
    const browser = browserAt('192.0.2.1')
    for (let attempt = 0; attempt < 3; attempt++) expect((await enterCode(browser, 'BCDF-GHJK')).status).toBe(422)
    const sameAddress = browserAt('192.0.2.1')
    const sameSession = browserAt('192.0.2.2')
    copyCookies(browser, sameSession)
    for (const throttled of [browser, sameAddress, sameSession]) {
      const page = await enterCode(throttled, body.user_code)
      expect([page.status, page.root.querySelectorAll('form').length]).toEqual([429, 0])
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await enterCode(browserAt('192.0.2.3'), body.user_code)).text).toContain('TV')
  })

  test('does not count correct codes', async () => {
    const client = await createDeviceClient(database)
    const browser = browserAt('192.0.2.4')
    for (let device = 0; device < 5; device++) {
      const { body } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
      expect((await enterCode(browser, body.user_code)).text).toContain('TV')
    }
  })
})
