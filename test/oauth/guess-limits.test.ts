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
    for (let guess = 0; guess < 3; guess++) expect((await type(browser, 'BCDF-GHJK')).text).not.toContain('TV')
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
