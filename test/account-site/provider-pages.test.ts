import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { travel } from '../support/clock.ts'
import { authorizationUrl, createClient, createPerson, post, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'

const service = await startService()
const { database } = service
const device = await createClient(database, {
  name: 'TV',
  confidential: false,
  redirectUris: [],
  grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
})
const client = await createClient(database, { postLogoutRedirectUris: ['https://app.example/bye'] })

const heading = ({ status, root }: Page) => [status, root.querySelector('h1')?.text]
const alertOf = ({ status, root }: Page) => [status, root.querySelector('[role=alert]')?.text]
const userCode = async () => (await post(service, '/api/oauth/device', device, { scope: 'openid' })).body.user_code as string
/** Sends a code on the device page, in a browser of its own unless told. */
async function enter(code: string, browser = new Browser(service.url)) {
  return { browser, page: await browser.press(await browser.open('/login/device'), 'Continue', { Code: code }) }
}

describe('the device page', () => {
  test('shows whose code it is, and the code itself however it was typed', async () => {
    const code = await userCode()
    const { page } = await enter(` ${code.toLowerCase().replace('-', '')} `)
    expect(heading(page)).toEqual([200, 'Is this your device?'])
    expect(page.text).toContain('TV wants to be connected.')
    expect(page.root.querySelector('p.code')?.text).toBe(code)
  })

  test('says in words what is wrong with a code, and keeps it', async () => {
    const used = await userCode()
    const { browser, page } = await enter(used)
    await browser.press(page, 'Deny')
    const stale = await userCode()
    const wrong = [
      ['BCDF-GHJK', 'This code is not right. Compare it with the one that your device shows.'],
      ['"><b>\0', 'This code is not right. Compare it with the one that your device shows.'],
      [used, 'This code was used already. Let your device show a new one.'],
      ['', 'Enter the code that your device shows.'],
    ] as const
    for (const [code, words] of wrong) {
      const { page } = await enter(code)
      expect(alertOf(page)).toEqual([422, words])
      const field = page.root.querySelector('input[name=user_code]')
      expect([field?.getAttribute('value'), field?.getAttribute('aria-describedby')]).toEqual([code, 'alert code-hint'])
    }
    travel(601_000)
    expect(alertOf((await enter(stale)).page)).toEqual([422, 'This code has expired. Let your device show a new one.'])
  })

  test('that is of another session asks for the code again', async () => {
    const code = await userCode()
    const { browser, page } = await enter(code)
    await browser.open('/login/device')
    expect(alertOf(await browser.press(page, 'Continue'))).toEqual([400, 'This page had expired. Enter the code again.'])
  })

  test.each(['allowed', 'denied at once', 'denied at consent'] as const)('says how it ended when it was %s', async (how) => {
    const { browser, page } = await enter(await userCode())
    if (how === 'denied at once') {
      expect(heading(await browser.press(page, 'Deny'))).toEqual([200, 'Access denied'])
      return
    }
    const consent = await signIn(browser, await browser.press(page, 'Continue'), await createPerson(database))
    expect(consent.text).not.toContain('You will be sent to')
    const end = await browser.press(consent, how === 'allowed' ? 'Allow access' : 'Deny')
    expect(heading(end)).toEqual([200, how === 'allowed' ? 'Device connected' : 'Access denied'])
  })
})

describe('the sign-out page', () => {
  async function signedIn() {
    const browser = new Browser(service.url)
    await signIn(browser, await browser.open(authorizationUrl(service, client).url), await createPerson(database))
    return browser
  }

  test('signs out, or does not, and says so', async () => {
    const browser = await signedIn()
    const ask = async () => browser.open('/login/oauth/logout')
    expect(heading(await ask())).toEqual([200, 'Sign out?'])
    expect(heading(await browser.press(await ask(), 'Stay signed in'))).toEqual([200, 'You are still signed in'])
    expect((await browser.open(authorizationUrl(service, client).url)).text).toContain('Signed in as')
    expect(heading(await browser.press(await ask(), 'Sign out'))).toEqual([200, 'You are signed out'])
    expect(heading(await browser.open(authorizationUrl(service, client).url))).toEqual([200, 'Sign in'])
  })

  test('says which client asks, and lets its form lead back there', async () => {
    const browser = await signedIn()
    const back = encodeURIComponent('https://app.example/bye')
    const page = await browser.open(`/login/oauth/logout?client_id=${client.clientId}&post_logout_redirect_uri=${back}`)
    expect(page.text).toContain('Example App asks whether you want to sign out here too.')
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;")
  })
})

describe('a request that leads nowhere', () => {
  test.each([
    [
      'of an unknown client',
      { client_id: 'nobody' },
      'The application is not known here. Go back to it, and tell those who run it.',
      'invalid_client',
    ],
    [
      'to a foreign address',
      { redirect_uri: 'https://evil.example' },
      'You were sent nowhere. Go back to it, and tell those who run it.',
      'invalid_redirect_uri',
    ],
    ['without an address', { redirect_uri: undefined }, 'What the application asked for cannot be answered.', 'invalid_request'],
  ])('%s is told in words and by its code', async (_, changes, words, code) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, changes).url)
    expect([heading(page), page.root.querySelector('code')?.text]).toEqual([[400, 'This does not work'], code])
    expect(page.text).toContain(words)
    expect(page.root.querySelector('main a')?.getAttribute('href')).toBe('/')
    expect(page.headers.get('cache-control')).toContain('no-store')
  })

  test('because its interaction is over says so', async () => {
    expect(heading(await new Browser(service.url).open('/login/oauth/authorize/gone'))).toEqual([400, 'This page has expired'])
  })
})

describe('the stylesheet', () => {
  test('is where every page looks for it, for ever; another one is not there', async () => {
    const page = await new Browser(service.url).open('/login/device')
    const path = page.root.querySelector('link[rel=stylesheet]')?.getAttribute('href') ?? ''
    const { status, headers } = await fetch(`${service.url}${path}`)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/css; charset=utf-8',
      'public, max-age=31536000, immutable',
    ])
    expect((await fetch(`${service.url}/assets/0123456789abcdef.css`)).status).toBe(404)
  })
})
