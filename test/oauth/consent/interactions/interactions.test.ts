import { beforeAll, describe, expect, test } from 'vitest'
import { enter, heading } from '../../../support/account-site/page-content.ts'
import { beginAt, copyCookies, formOf, interactionOf, isSignedIn } from '../../../support/oauth/authorization.ts'
import { Browser } from '../../../support/browser/browser.ts'
import type { Page } from '../../../support/browser/browser.ts'
import { authorizationUrl, createClient, createPerson, password, signIn } from '../../../support/oauth/oauth.ts'
import { useService } from '../../../support/service/service.ts'
import { createUser } from '../../../support/data/team.ts'
import type { TestClient } from '../../../support/oauth/oauth.ts'

const service = useService()
const { database } = service
let client: TestClient
beforeAll(async () => {
  client = await createClient(database, { name: 'Example App' })
})

const openSignIn = (changes: Record<string, string> = {}) => beginAt(service, client, changes)
const alertOf = (page: Page) => page.root.querySelector('[role=alert]')?.text
const valueOf = (page: Page, name: string) => page.root.querySelector(`[name=${name}]`)?.getAttribute('value')
const expiredPage = [400, 'This page has expired']
const countGrants = (userId: string) => database.prisma.oAuthGrant.count({ where: { userId } })
const sessionCookieOf = ({ cookies }: Browser) => [...cookies.values()].find(({ name }) => name === 'session')?.value

describe('the sign-in page', () => {
  test('names the client and has security header fields', async () => {
    const { page } = await openSignIn()
    expect([page.status, page.root.querySelector('h1')?.text]).toEqual([200, 'Sign in'])
    expect(page.text).toContain('to continue to Example App')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    )
    expect([page.headers.get('x-frame-options'), page.headers.get('cache-control')]).toEqual(['DENY', 'no-store'])
  })

  test('contains the email address of login_hint', async () => {
    const { page } = await openSignIn({ login_hint: '"ada@example.test' })
    expect(valueOf(page, 'email')).toBe('"ada@example.test')
  })

  test('ignores case and surrounding spaces of the email address', async () => {
    const user = await createPerson(database)
    const { browser, page } = await openSignIn()
    const consent = await browser.press(page, 'Sign in', { 'Email address': `  ${user.email.toUpperCase()} `, Password: password })
    expect([consent.status, consent.text]).toEqual([200, expect.stringContaining(`Signed in as ${user.email}`)])
  })

  test('shows the same error for an unknown address, a wrong or empty password, and a disabled account', async () => {
    const users = {
      wrong: [(await createPerson(database)).email, 'wrong'],
      empty: [(await createPerson(database)).email, ''],
      unknown: ['nobody@example.test', password],
      withoutPassword: [(await createUser(database)).email, ''],
      disabled: [(await createPerson(database, { disabledAt: new Date() })).email, password],
      noAddress: ['"><script>', password],
      control: ['a\0b@example.test', 'a\0b'],
    } as const
    const bodies = new Set<string>()
    for (const [email, secret] of Object.values(users)) {
      const { browser, page } = await openSignIn()
      const rejected = await browser.press(page, 'Sign in', { 'Email address': email, Password: secret })
      expect([rejected.status, alertOf(rejected)]).toEqual([422, 'The email address or password is incorrect.'])
      expect([valueOf(rejected, 'email'), valueOf(rejected, 'password')]).toEqual([email, undefined])
      expect(rejected.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
      bodies.add(rejected.text)
    }
    expect(bodies.size).toBe(1)
  })

  test('changes the session identifier at sign-in, so that a holder of the previous identifier is not signed in', async () => {
    const user = await createPerson(database)
    const attacker = new Browser(service.url)
    await attacker.open('/login/device')
    const { browser, page } = await openSignIn()
    copyCookies(attacker, browser)
    expect(sessionCookieOf(browser)).toMatch(/^[\w-]{43}$/)
    expect((await signIn(browser, page, user)).text).toContain(`Signed in as ${user.email}`)
    expect(sessionCookieOf(browser)).not.toBe(sessionCookieOf(attacker))
    expect((await attacker.open(authorizationUrl(service, client).url)).root.querySelector('h1')?.text).toBe('Sign in')
  })
})

describe('an interaction', () => {
  test('shows an expired page in a browser that did not start it and for an unknown identifier', async () => {
    const { browser, page } = await openSignIn()
    const victim = await createPerson(database)
    const other = new Browser(service.url)
    expect(heading(await other.open(interactionOf(page)))).toEqual(expiredPage)
    // An attacker could send a link to the sign-in page.
    expect(heading(await other.open(page.url))).toEqual(expiredPage)
    await enter(other, victim)
    expect(heading(await other.open(page.url))).toEqual(expiredPage)
    expect(heading(await other.open(interactionOf(page)))).toEqual(expiredPage)
    expect(heading(await browser.open(interactionOf(page)))).toEqual([200, 'Sign in'])
    expect([await isSignedIn(service, browser), await countGrants(victim.id)]).toEqual([false, 0])
    expect(heading(await other.open('/login/oauth/interaction/none'))).toEqual(expiredPage)
  })

  test('shows an expired page with the cookie of another interaction', async () => {
    const { browser, page } = await openSignIn()
    const second = await browser.open(authorizationUrl(service, client).url)
    for (const [key, cookie] of new Map(browser.cookies)) {
      if (cookie.path === interactionOf(second).pathname) browser.cookies.delete(key)
      if (cookie.path === interactionOf(page).pathname)
        browser.cookies.set(`${key} swapped`, { ...cookie, path: interactionOf(second).pathname })
    }
    expect(heading(await browser.open(interactionOf(second)))).toEqual(expiredPage)
    expect(heading(await browser.open(interactionOf(page)))).toEqual([200, 'Sign in'])
  })

  test('shows an expired page after it was used, and when its client or user is disabled', async () => {
    const user = await createPerson(database)
    const { browser, page } = await openSignIn()
    const consent = await signIn(browser, page, user)
    expect(heading(await browser.open(interactionOf(page)))).toEqual(expiredPage)
    await database.prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect(heading(await browser.press(consent, 'Allow access'))).toEqual(expiredPage)
    expect(await countGrants(user.id)).toBe(0)

    const disabled = await createClient(database)
    const signInPage = await browser.open(authorizationUrl(service, disabled, { prompt: 'login' }).url)
    await database.prisma.oAuthClient.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } })
    expect(heading(await browser.open(interactionOf(signInPage)))).toEqual(expiredPage)
    expect(heading(await browser.open(signInPage.url))).toEqual(expiredPage)
  })

  test('returns 405 for other methods and an error page for a body that is not a valid form', async () => {
    const { browser, page } = await openSignIn()
    const consent = await signIn(browser, page, await createPerson(database))
    const { action, values } = formOf(consent, 'Allow access')
    const put = await browser.open(consent.url, { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const get = await browser.open(new URL(action, service.url))
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    values.set('team', 'x'.repeat(20_000))
    expect(heading(await browser.send(consent, action, values))).toEqual([413, 'We couldn’t read this form'])
    for (const [type, body, status] of [
      ['application/json', '{"csrf":"x"}', 403],
      ['text/plain', 'csrf=x', 403],
      ['application/x-www-form-urlencoded; charset=koi8-r', 'csrf=x', 415],
      ['application/x-www-form-urlencoded', '', 403],
      ['application/x-www-form-urlencoded', 'csrf=a&csrf=b&csrf[x]=c&__proto__=1', 403],
      ['application/x-www-form-urlencoded', `csrf=%E0%A4%A&${'a=1&'.repeat(1001)}`, 413],
    ] as const)
      expect([
        type,
        (await browser.open(new URL(action, service.url), { method: 'POST', headers: { 'content-type': type }, body })).status,
      ]).toEqual([type, status])
  })
})
