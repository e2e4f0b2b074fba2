import { describe, expect, test } from 'vitest'
import { formOf } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { authorizationUrl, createClient, createPerson, password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { enter, sessionCookie } from './shown.ts'

const overHttps = 'https://accounts.example'
const service = await startService()
const behindProxy = await startService({ authUrl: overHttps, trustProxy: true })

/** Each cookie of an answer with its attributes, but for its value and its end. */
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

/** Sends the sign-in form, and answers what the browser is told before it goes on. */
async function signIn(page: Page, browser: Browser, email: string): Promise<Response> {
  const { action, values } = formOf(page, 'Sign in')
  values.set('email', email)
  values.set('password', password)
  const origin = browser.headers['x-forwarded-proto'] ? overHttps : browser.origin
  const headers = { ...browser.headers, origin, cookie: hidden(browser) }
  return fetch(browser.origin + action, { method: 'POST', body: values, headers, redirect: 'manual' })
}

describe('a cookie', () => {
  test('is for our own pages alone, and for no script', async () => {
    const browser = new Browser(service.url)
    const page = await browser.open('/sign-in')
    expect(attributesOf(page.headers)).toEqual({ browser: strict })
    const answer = await signIn(page, browser, (await createPerson(service.database)).email)
    expect(attributesOf(answer.headers)).toEqual({ session: strict, 'session.sig': strict })
  })

  test('over https is for this host and https alone too', async () => {
    const browser = new Browser(behindProxy.url)
    browser.headers = { 'x-forwarded-host': 'accounts.example', 'x-forwarded-proto': 'https' }
    const page = await browser.open('/sign-in')
    const answer = await signIn(page, browser, (await createPerson(behindProxy.database)).email)
    const secure = [...strict, 'secure']
    expect([attributesOf(page.headers), answer.status, attributesOf(answer.headers)]).toEqual([
      { '__Host-browser': secure },
      303,
      { '__Host-session': secure, '__Host-session.sig': secure },
    ])
    const session = answer.headers.getSetCookie().map((line) => line.split(';')[0])
    const home = await fetch(`${behindProxy.url}/security`, { headers: { ...browser.headers, cookie: session.join('; ') } })
    expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('<h1>Security</h1>')])
    // Another name is another cookie: one that an open network planted counts for nothing.
    const planted = session.map((pair) => pair?.replace('__Host-', '')).join('; ')
    const stranger = await fetch(`${behindProxy.url}/security`, { headers: { ...browser.headers, cookie: planted }, redirect: 'manual' })
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/sign-in?return_to=%2Fsecurity'])
  })

  test('of an interaction is for it alone', async () => {
    const client = await createClient(service.database)
    const answer = await fetch(authorizationUrl(service, client).url, { redirect: 'manual' })
    const interaction = attributesOf(answer.headers)['interaction']
    expect(interaction).toEqual(['httponly', expect.stringMatching(/^path=\/login\/oauth\/interaction\/[\w-]+$/), 'samesite=lax'])
  })

  test('that carries on what is half done cannot be read, made up, or used as another one', async () => {
    const browser = new Browser(service.url)
    await browser.open('/sign-in')
    const mark = browser.cookies.get('browser /')
    for (const value of [mark?.value ?? '', 'A'.repeat(100), '', '%', '"']) {
      for (const name of ['half-way', 'notice']) {
        browser.cookies.set(`${name} /`, { name, value, path: '/' })
        const page = await browser.open('/sign-in/second-factor')
        expect([page.url.pathname, page.status, page.root.querySelector('.notice')]).toEqual(['/sign-in', 200, null])
        browser.cookies.delete(`${name} /`)
      }
    }
    expect(Buffer.from(mark?.value ?? '', 'base64url').toString('latin1')).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/)
  })

  test('ends with the session', async () => {
    const browser = new Browser(service.url)
    const page = await enter(browser, await createPerson(service.database))
    const { action, values } = formOf(page, 'Sign out')
    const headers = { origin: service.url, cookie: hidden(browser) }
    const answer = await fetch(service.url + action, { method: 'POST', body: values, headers, redirect: 'manual' })
    const ended = answer.headers.getSetCookie().filter((line) => /^session=;.*expires=Thu, 01 Jan 1970/i.test(line))
    expect([sessionCookie(browser)?.length, ended.length]).toEqual([43, 1])
  })
})
