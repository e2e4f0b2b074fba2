import { describe, expect, test } from 'vitest'
import { formOf } from '../../support/oauth/authorization.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { authorizationUrl, createClient, createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { enter, sessionCookie } from '../../support/account-site/page-content.ts'

const overHttps = 'https://accounts.example'
const service = useService()
const behindProxy = useService({ authUrl: overHttps, trustProxy: true })

/** Returns the attributes of each cookie in a response, without its value and expiry. */
const attributesOf = (headers: Headers) =>
  Object.fromEntries(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split(/; */)
      const lasting = attributes.filter((attribute) => !/^(expires|max-age)=/i.test(attribute))
      return [pair.slice(0, pair.indexOf('=')), lasting.map((attribute) => attribute.toLowerCase()).sort()]
    }),
  )
const strict = ['httponly', 'path=/', 'samesite=lax']
const hidden = (browser: Browser) => [...browser.cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ')

/** Sends the sign-in form and returns the response without following its redirect. */
async function signIn(page: Page, browser: Browser, email: string): Promise<Response> {
  const { action, values } = formOf(page, 'Sign in')
  values.set('email', email)
  values.set('password', password)
  const origin = browser.headers['x-forwarded-proto'] ? overHttps : browser.origin
  const headers = { ...browser.headers, origin, cookie: hidden(browser) }
  return fetch(browser.origin + action, { method: 'POST', body: values, headers, redirect: 'manual' })
}

describe('a cookie', () => {
  test('is limited to our own pages and hidden from scripts', async () => {
    const browser = new Browser(service.url)
    const page = await browser.open('/sign-in')
    expect(attributesOf(page.headers)).toEqual({ browser: strict })
    const answer = await signIn(page, browser, (await createPerson(service.database)).email)
    expect(attributesOf(answer.headers)).toEqual({
      address: strict,
      device: strict,
      'sign-in-method': strict,
      session: strict,
      'session.sig': strict,
    })
  })

  test('is limited to this host and to HTTPS when the service uses HTTPS', async () => {
    const browser = new Browser(behindProxy.url)
    browser.headers = { 'x-forwarded-host': 'accounts.example', 'x-forwarded-proto': 'https' }
    const page = await browser.open('/sign-in')
    const answer = await signIn(page, browser, (await createPerson(behindProxy.database)).email)
    const secure = [...strict, 'secure']
    expect([attributesOf(page.headers), answer.status, attributesOf(answer.headers)]).toEqual([
      { '__Host-browser': secure },
      303,
      {
        '__Host-address': secure,
        '__Host-device': secure,
        '__Host-sign-in-method': secure,
        '__Host-session': secure,
        '__Host-session.sig': secure,
      },
    ])
    const session = answer.headers.getSetCookie().map((line) => line.split(';')[0])
    const home = await fetch(`${behindProxy.url}/security`, { headers: { ...browser.headers, cookie: session.join('; ') } })
    expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('<h1>Sign-in and security</h1>')])
    // A cookie without the `__Host-` prefix, which an attacker on an open network can set, is ignored.
    const withoutPrefix = session.map((pair) => pair?.replace('__Host-', '')).join('; ')
    const unauthenticated = await fetch(`${behindProxy.url}/security`, {
      headers: { ...browser.headers, cookie: withoutPrefix },
      redirect: 'manual',
    })
    expect([unauthenticated.status, unauthenticated.headers.get('location')]).toEqual([303, '/sign-in?return_to=%2Fsecurity'])
  })

  test('of an interaction is limited to the path of that interaction', async () => {
    const client = await createClient(service.database)
    const answer = await fetch(authorizationUrl(service, client).url, { redirect: 'manual' })
    const interaction = attributesOf(answer.headers)['interaction']
    expect(interaction).toEqual(['httponly', expect.stringMatching(/^path=\/login\/oauth\/interaction\/[\w-]+$/), 'samesite=lax'])
  })

  test('with encrypted content cannot be read, forged or used under another name', async () => {
    const browser = new Browser(service.url)
    await browser.open('/sign-in')
    const browserCookie = browser.cookies.get('browser /')
    for (const value of [browserCookie?.value ?? '', 'A'.repeat(100), '', '%', '"']) {
      for (const name of ['pending-sign-in', 'notice']) {
        browser.cookies.set(`${name} /`, { name, value, path: '/' })
        const page = await browser.open('/sign-in/second-factor')
        expect([page.url.pathname, page.status, page.root.querySelector('.notice')]).toEqual(['/sign-in', 200, null])
        browser.cookies.delete(`${name} /`)
      }
    }
    expect(Buffer.from(browserCookie?.value ?? '', 'base64url').toString('latin1')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/)
  })

  test('is deleted when the session ends', async () => {
    const browser = new Browser(service.url)
    const page = await enter(browser, await createPerson(service.database))
    const { action, values } = formOf(page, 'Sign out')
    const headers = { origin: service.url, cookie: hidden(browser) }
    const answer = await fetch(service.url + action, { method: 'POST', body: values, headers, redirect: 'manual' })
    const ended = answer.headers.getSetCookie().filter((line) => /^session=;.*expires=Thu, 01 Jan 1970/i.test(line))
    expect([sessionCookie(browser)?.length, ended.length]).toEqual([43, 1])
  })
})
