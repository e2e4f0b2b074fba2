import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { createClient, post } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService({ rateLimitClientSecret: 3, rateLimitUserCode: 3, trustProxy: true })
const { database } = service
const invalidGrant = { error: 'invalid_grant', error_description: 'grant request is invalid' }

const ask = (client: { clientId: string; secret: string | null }, address: string) =>
  post(service, '/api/oauth/token', client, { grant_type: 'refresh_token', refresh_token: 'unknown' }, { 'x-forwarded-for': address })

describe('a client secret that is guessed', () => {
  test('is refused, then not judged any more, for this client and address alone; the right one goes on working', async () => {
    const client = await createClient(database)
    const wrong = { clientId: client.clientId, secret: 'wrong' }
    for (let guess = 0; guess < 3; guess++) expect((await ask(wrong, '192.0.2.1')).body.error).toBe('invalid_client')
    const throttled = await ask(wrong, '192.0.2.1')
    expect([throttled.status, throttled.body]).toEqual([429, { error: 'temporarily_unavailable', error_description: 'Too Many Attempts.' }])
    expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask(client, '192.0.2.1')).body).toEqual(invalidGrant)
    expect((await ask(wrong, '192.0.2.2')).status).toBe(401)
    const other = await createClient(database)
    expect((await ask({ clientId: other.clientId, secret: 'wrong' }, '192.0.2.1')).status).toBe(401)
  })

  test('by many at once is counted for each', async () => {
    const { clientId } = await createClient(database)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ clientId, secret: 'wrong' }, '192.0.2.3')))
    expect(answers.filter(({ status }) => status === 401).length).toBe(3)
    expect(answers.filter(({ status }) => status === 429).length).toBe(17)
  })
})

describe('an address that guesses', () => {
  // Each family stands for one guesser; the last of each row for another.
  test.each([
    ['of one IPv6 network', ['2001:db8:1:2::1', '2001:DB8:0001:2:ffff::2', '2001:db8:1:2:3:4:5:6'], '2001:db8:1:3::1'],
    ['of a network with zeros in it', ['2001:db8::1', '2001:db8:0:0:1::', '2001:0db8:0000:0000:ffff:ffff:ffff:ffff'], '2001:db8:0:1::1'],
    ['of the link, whatever its zone', ['fe80::1', 'fe80::2%eth0', 'fe80::3%eth1'], 'fe80:0:0:1::1'],
    ['of IPv4, mapped to IPv6 or not', ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:198.51.100.7'], '::ffff:198.51.100.8'],
    ['of IPv4, mapped in hexadecimal', ['198.51.100.9', '::ffff:c633:6409', '0:0:0:0:0:ffff:c633:6409'], '::ffff:c633:640a'],
    ['of a proxy that forwards ports', ['198.51.100.11:4711', '198.51.100.11:4712', '[::ffff:198.51.100.11]:4713'], '198.51.100.12:4711'],
  ])('%s is one', async (_, same, other) => {
    const { clientId } = await createClient(database)
    const guess = async (address: string) => (await ask({ clientId, secret: 'wrong' }, address)).status
    for (const address of same) expect([address, await guess(address)]).toEqual([address, 401])
    for (const address of same) expect([address, await guess(address)]).toEqual([address, 429])
    expect(await guess(other)).toBe(401)
  })

  test('says who it is only through a proxy that is trusted', async () => {
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

describe('a user code that is guessed', () => {
  const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
  const type = async (browser: Browser, code: string) => browser.press(await browser.open('/login/device'), 'Continue', { Code: code })
  const browserAt = (address: string) => {
    const browser = new Browser(service.url)
    browser.headers = { 'x-forwarded-for': address }
    return browser
  }

  test('is not judged any more, in this session or from this address, right or wrong', async () => {
    const client = await createClient(database, { confidential: false, redirectUris: [], grantTypes: [deviceGrant], name: 'TV' })
    const { body } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
    const browser = browserAt('192.0.2.1')
    for (let guess = 0; guess < 3; guess++) expect((await type(browser, 'BCDF-GHJK')).status).toBe(422)
    const elsewhere = browserAt('192.0.2.1')
    const moved = browserAt('192.0.2.2')
    for (const [key, cookie] of browser.cookies) moved.cookies.set(key, cookie)
    for (const throttled of [browser, elsewhere, moved]) {
      const page = await type(throttled, body.user_code)
      expect([page.status, page.root.querySelectorAll('form').length]).toEqual([429, 0])
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await type(browserAt('192.0.2.3'), body.user_code)).text).toContain('TV')
  })

  test('costs nothing when it was right', async () => {
    const client = await createClient(database, { confidential: false, redirectUris: [], grantTypes: [deviceGrant], name: 'TV' })
    const browser = browserAt('192.0.2.4')
    for (let device = 0; device < 5; device++) {
      const { body } = await post(service, '/api/oauth/device', client, { scope: 'openid' })
      expect((await type(browser, body.user_code)).text).toContain('TV')
    }
  })
})
