import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { contentOf } from '../../support/account-site/page-content.ts'
import { travel } from '../../support/service/clock.ts'
import { authorizationUrl, createClient, createPerson, post, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'

const service = useService()
const { database } = service
let device: TestClient
let client: TestClient
beforeAll(async () => {
  device = await createClient(database, {
    name: 'TV',
    confidential: false,
    redirectUris: [],
    grantTypes: ['urn:ietf:params:oauth:grant-type:device_code'],
  })
  client = await createClient(database, { postLogoutRedirectUris: ['https://app.example/bye'] })
})

const heading = ({ status, root }: Page) => [status, root.querySelector('h1')?.text]
const alertOf = ({ status, root }: Page) => [status, root.querySelector('[role=alert]')?.text]
const userCode = async (): Promise<string> => (await post(service, '/api/oauth/device', device, { scope: 'openid' })).body.user_code
/** Submits a code on the device page, by default in a new browser. */
async function enter(code: string, browser = new Browser(service.url)) {
  return { browser, page: await browser.press(await browser.open('/login/device'), 'Continue', { Code: code }) }
}

describe('the device page', () => {
  test('explains why a code is refused, and keeps it in the field', async () => {
    const used = await userCode()
    const { browser, page } = await enter(used)
    await browser.press(await signIn(browser, page, await createPerson(database)), 'Deny')
    const stale = await userCode()
    const wrong = [
      ['BCDF-GHJK', 'This code is incorrect. Check the code that your device shows.'],
      ['"><b>\0', 'This code is incorrect. Check the code that your device shows.'],
      [used, 'This code was already used. Get a new code on your device.'],
      ['', 'Enter a code.'],
    ] as const
    for (const [code, message] of wrong) {
      const { page } = await enter(code)
      expect(alertOf(page)).toEqual([422, message])
      const field = page.root.querySelector('input[name=user_code]')
      expect([field?.getAttribute('value'), field?.getAttribute('aria-describedby')]).toEqual([code, 'code-wrong code-hint'])
    }
    travel(601_000)
    expect(alertOf((await enter(stale)).page)).toEqual([422, 'This code has expired. Get a new code on your device.'])
  })

  test.each(['allowed', 'denied'] as const)('shows the result when the device was %s', async (how) => {
    const { browser, page } = await enter(await userCode())
    const consent = await signIn(browser, page, await createPerson(database))
    expect(consent.text).not.toContain('You will be redirected to')
    const end = await browser.press(consent, how === 'allowed' ? 'Allow access' : 'Deny')
    expect([heading(end), contentOf(end)]).toEqual(
      how === 'allowed'
        ? [[200, 'Device connected'], expect.stringContaining('Manage connected apps')]
        : [[200, 'Access denied'], expect.stringContaining('TV was not connected.')],
    )
  })
})

describe('the sign-out page', () => {
  async function signedIn() {
    const browser = new Browser(service.url)
    const user = await createPerson(database)
    await signIn(browser, await browser.open(authorizationUrl(service, client).url), user)
    return { browser, user }
  }

  test('signs out or keeps the session, and confirms it', async () => {
    const { browser, user } = await signedIn()
    const openPage = async () => browser.open('/login/oauth/logout')
    const page = await openPage()
    expect([heading(page), contentOf(page)]).toEqual([[200, 'Sign out?'], expect.stringContaining(`Signed in as ${user.email}`)])
    const kept = await browser.press(page, 'Stay signed in')
    expect([heading(kept), kept.root.querySelector('main a.button')?.getAttribute('href')]).toEqual([[200, 'You are still signed in'], '/'])
    expect((await browser.open(authorizationUrl(service, client).url)).text).toContain('Signed in as')
    expect(heading(await browser.press(await openPage(), 'Sign out'))).toEqual([200, 'You are signed out'])
    expect(heading(await browser.open(authorizationUrl(service, client).url))).toEqual([200, 'Sign in'])
  })

  test('names the requesting client and allows a redirect to it', async () => {
    const { browser } = await signedIn()
    const back = encodeURIComponent('https://app.example/bye')
    const page = await browser.open(`/login/oauth/logout?client_id=${client.clientId}&post_logout_redirect_uri=${back}`)
    expect(page.text).toContain('Example App asks if you also want to sign out here.')
    expect(page.headers.get('content-security-policy')).not.toContain('form-action')
    const withoutAddress = await browser.open('/login/oauth/logout')
    expect(withoutAddress.headers.get('content-security-policy')).toContain("form-action 'self';")
  })
})

describe('an authorization request that cannot be redirected', () => {
  test.each([
    ['of an unknown client', { client_id: 'nobody' }, 'This app is not registered. Contact the provider of the app.', 'invalid_client'],
    [
      'with an unregistered redirect URI',
      { redirect_uri: 'https://evil.example' },
      'so we did not redirect you. Contact the provider of the app.',
      'invalid_redirect_uri',
    ],
    ['without a redirect URI', { redirect_uri: undefined }, 'We can’t process the request from this app.', 'invalid_request'],
  ])('%s gets an error page with the error code', async (_, changes, message, code) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, client, changes).url)
    expect([heading(page), page.root.querySelector('code')?.text]).toEqual([[400, 'We can’t process this request'], code])
    expect(page.text).toContain(message)
    expect(page.root.querySelector('main a')?.getAttribute('href')).toBe('/')
    expect(page.headers.get('cache-control')).toContain('no-store')
  })

  test('receives an error page when its interaction has expired', async () => {
    expect(heading(await new Browser(service.url).open('/login/oauth/authorize/gone'))).toEqual([400, 'This page has expired'])
  })
})

describe('the stylesheet', () => {
  test('is cached forever at the path in every page, and unknown assets get 404', async () => {
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
