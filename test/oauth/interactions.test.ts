import { describe, expect, test } from 'vitest'
import { beginAt, formOf, interactionOf, isSignedIn } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { authorizationUrl, createClient, createPerson, password, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createUser } from '../support/team.ts'

const service = await startService()
const { database } = service
const client = await createClient(database, { name: 'Example App' })

const atSignIn = (changes: Record<string, string> = {}) => beginAt(service, client, changes)
const alertOf = (page: Page) => page.root.querySelector('[role=alert]')?.text
const valueOf = (page: Page, name: string) => page.root.querySelector(`[name=${name}]`)?.getAttribute('value')
/** What a page that refuses shows. */
const heading = (page: Page) => [page.status, page.root.querySelector('h1')?.text]
const expired = [400, 'This page has expired']
const countGrants = (userId: string) => database.prisma.oAuthGrant.count({ where: { userId } })
const sessionOf = ({ cookies }: Browser) => [...cookies.values()].find(({ name }) => name === 'session')?.value

describe('the sign-in page', () => {
  test('says who asks, and is a page that nothing can be done to from outside', async () => {
    const { page } = await atSignIn()
    expect([page.status, page.root.querySelector('h1')?.text]).toEqual([200, 'Sign in'])
    expect(page.text).toContain('to continue to Example App')
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self' https://app.example; frame-ancestors 'none'; base-uri 'none'",
    )
    expect([page.headers.get('x-frame-options'), page.headers.get('cache-control')]).toEqual(['DENY', 'no-store'])
  })

  test('has the address filled in where the client knows it', async () => {
    const { page } = await atSignIn({ login_hint: '"ada@example.test' })
    expect(valueOf(page, 'email')).toBe('"ada@example.test')
  })

  test('finds the account however its address is written', async () => {
    const person = await createPerson(database)
    const { browser, page } = await atSignIn()
    const consent = await browser.press(page, 'Sign in', { 'Email address': `  ${person.email.toUpperCase()} `, Password: password })
    expect([consent.status, consent.text]).toEqual([200, expect.stringContaining(`Signed in as ${person.email}`)])
  })

  test('tells an unknown address, a wrong password, none, and a disabled account apart by nothing', async () => {
    const people = {
      wrong: [(await createPerson(database)).email, 'wrong'],
      empty: [(await createPerson(database)).email, ''],
      unknown: ['nobody@example.test', password],
      withoutPassword: [(await createUser(database)).email, ''],
      disabled: [(await createPerson(database, { disabledAt: new Date() })).email, password],
      noAddress: ['"><script>', password],
      control: ['a\0b@example.test', 'a\0b'],
    } as const
    const bodies = new Set<string>()
    for (const [email, secret] of Object.values(people)) {
      const { browser, page } = await atSignIn()
      const again = await browser.press(page, 'Sign in', { 'Email address': email, Password: secret })
      expect([again.status, alertOf(again)]).toEqual([422, 'The email address or password is not right.'])
      expect([valueOf(again, 'email'), valueOf(again, 'password')]).toEqual([email, undefined])
      expect(again.headers.get('content-security-policy')).toBe(page.headers.get('content-security-policy'))
      bodies.add(again.text)
    }
    expect(bodies.size).toBe(1)
  })

  test('gives a session another identifier, so that nobody who knew the one before is signed in too', async () => {
    const person = await createPerson(database)
    const attacker = new Browser(service.url)
    await attacker.open('/login/device')
    const { browser, page } = await atSignIn()
    for (const [key, cookie] of attacker.cookies) browser.cookies.set(key, cookie)
    expect(sessionOf(browser)).toMatch(/^[\w-]{43}$/)
    expect((await signIn(browser, page, person)).text).toContain(`Signed in as ${person.email}`)
    expect(sessionOf(browser)).not.toBe(sessionOf(attacker))
    expect((await attacker.open(authorizationUrl(service, client).url)).root.querySelector('h1')?.text).toBe('Sign in')
  })
})

describe('an interaction', () => {
  test('is over for a browser in which it did not begin, and where there is none', async () => {
    const { browser, page } = await atSignIn()
    const victim = await createPerson(database)
    const other = new Browser(service.url)
    expect(heading(await other.open(interactionOf(page)))).toEqual(expired)
    // A link to the page lets its reader sign in, and nobody else go on with that.
    expect(heading(await signIn(other, await other.open(page.url), victim))).toEqual(expired)
    expect(await isSignedIn(service, other)).toBe(true)
    expect(heading(await browser.open(interactionOf(page)))).toEqual([200, 'Sign in'])
    expect([await isSignedIn(service, browser), await countGrants(victim.id)]).toEqual([false, 0])
    expect(heading(await other.open('/login/oauth/interaction/none'))).toEqual(expired)
  })

  test('is over for the cookie of another one', async () => {
    const { browser, page } = await atSignIn()
    const second = await browser.open(authorizationUrl(service, client).url)
    for (const [key, cookie] of new Map(browser.cookies)) {
      if (cookie.path === interactionOf(second).pathname) browser.cookies.delete(key)
      if (cookie.path === interactionOf(page).pathname)
        browser.cookies.set(`${key} swapped`, { ...cookie, path: interactionOf(second).pathname })
    }
    expect(heading(await browser.open(interactionOf(second)))).toEqual(expired)
    expect(heading(await browser.open(interactionOf(page)))).toEqual([200, 'Sign in'])
  })

  test('is over once it was used, and when its client or person is gone', async () => {
    const person = await createPerson(database)
    const { browser, page } = await atSignIn()
    const consent = await signIn(browser, page, person)
    expect(heading(await browser.open(interactionOf(page)))).toEqual(expired)
    await database.prisma.user.update({ where: { id: person.id }, data: { disabledAt: new Date() } })
    expect(heading(await browser.press(consent, 'Allow access'))).toEqual(expired)
    expect(await countGrants(person.id)).toBe(0)

    const gone = await createClient(database)
    const asked = await browser.open(authorizationUrl(service, gone, { prompt: 'login' }).url)
    await database.prisma.oAuthClient.update({ where: { id: gone.id }, data: { disabledAt: new Date() } })
    expect(heading(await browser.open(interactionOf(asked)))).toEqual(expired)
    // Who asked is not told any more either.
    const nobody = await browser.open(asked.url)
    expect([heading(nobody), nobody.root.querySelector('.who')]).toEqual([[200, 'Sign in'], null])
  })

  test('answers other methods with 405, and what is no form with a page', async () => {
    const { browser, page } = await atSignIn()
    const consent = await signIn(browser, page, await createPerson(database))
    const { action, values } = formOf(consent, 'Allow access')
    const put = await browser.open(consent.url, { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    const got = await browser.open(new URL(action, service.url))
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    values.set('team', 'x'.repeat(20_000))
    expect(heading(await browser.send(consent, action, values))).toEqual([413, 'This form cannot be read'])
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
