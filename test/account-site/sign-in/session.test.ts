import { describe, expect, test } from 'vitest'
import { formOf, isSignedIn } from '../../support/oauth/authorization.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { authorizationUrl, createClient, createPerson, password, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { alertOf, enter, heading, noticeOf, sessionCookie, signedIn, valuesOf } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, url } = service
const { prisma } = database
const day = 86_400_000

const signInPage = [200, 'Sign in']
const hasSession = async (browser: Browser) => heading(await browser.open('/security'))[1] === 'Sign-in and security'
/** Returns the Set-Cookie header fields of the response by cookie name. */
const setCookies = ({ headers }: Page) => Object.fromEntries(headers.getSetCookie().map((line) => [line.slice(0, line.indexOf('=')), line]))

describe('a session cookie planted by an attacker', () => {
  test('is replaced when the victim signs in', async () => {
    const attacker = new Browser(url)
    await attacker.open('/login/device')
    expect(sessionCookie(attacker)).toMatch(/^[\w-]{43}$/)
    const victim = attacker.copy()
    await enter(victim, await createPerson(database))
    expect(sessionCookie(victim)).not.toBe(sessionCookie(attacker))
    expect([await hasSession(victim), await hasSession(attacker), await isSignedIn(service, attacker)]).toEqual([true, false, false])
  })

  test.each(['A'.repeat(43), 'x', '', '"><script>'])(
    'with the invented value %j belongs to no user and is replaced at sign-in',
    async (value) => {
      const browser = new Browser(url)
      browser.cookies.set('session /', { name: 'session', value, path: '/' })
      expect(heading(await browser.open('/security'))).toEqual(signInPage)
      await enter(browser, await createPerson(database))
      expect([await hasSession(browser), sessionCookie(browser) === value]).toEqual([true, false])
    },
  )

  test('from a signed-in attacker is replaced when the victim signs in, and the attacker’s session ends', async () => {
    const { browser: attacker } = await signedIn(service)
    const victim = attacker.copy()
    const person = await createPerson(database)
    const page = await enter(victim, person)
    expect([page.text.includes(person.name), await hasSession(victim), await hasSession(attacker)]).toEqual([true, true, false])
  })

  test('does not make the CSRF token of the attacker valid for the victim', async () => {
    const attacker = new Browser(url)
    await attacker.open('/sign-in')
    const victim = attacker.copy()
    const page = await enter(victim, await createPerson(database))
    const attackerToken = formOf(await attacker.open('/sign-in'), 'Sign in').values.get('csrf') ?? ''
    const { values } = formOf(page, 'Sign out')
    values.set('csrf', attackerToken)
    expect(heading(await victim.send(page, '/security', values))).toEqual([403, 'This form has expired'])
    expect(await hasSession(victim)).toBe(true)
  })
})

describe('a session identifier', () => {
  test('changes when the user signs in again or confirms the password, and earlier identifiers become invalid', async () => {
    const { user, browser } = await signedIn(service)
    const [first, firstCopy] = [sessionCookie(browser), browser.copy()]
    await enter(browser, user)
    const [second, secondCopy] = [sessionCookie(browser), browser.copy()]
    const page = await browser.open('/confirm?return_to=/security')
    expect(heading(await browser.press(page, 'Continue', { Password: password }))).toEqual([200, 'Sign-in and security'])
    expect(new Set([first, second, sessionCookie(browser)]).size).toBe(3)
    expect([await hasSession(browser), await hasSession(firstCopy), await hasSession(secondCopy)]).toEqual([true, false, false])
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(1)
  })
})

describe('signing out', () => {
  test('ends the session at the account site and for authorization requests, and keeps other sessions', async () => {
    const { user, browser, page } = await signedIn(service)
    const other = new Browser(url)
    await enter(other, user)
    const client = await createClient(database)
    await browser.press(await browser.open(authorizationUrl(service, client, { scope: 'openid' }).url), 'Allow access')
    const copied = browser.copy()
    const authorize = async (from: Browser) =>
      (await from.open(authorizationUrl(service, client, { scope: 'openid', prompt: 'none' }).url)).url.searchParams
    expect((await authorize(copied)).has('code')).toBe(true)

    const signedOut = await browser.press(page, 'Sign out')
    expect([heading(signedOut), noticeOf(signedOut), signedOut.url.pathname]).toEqual([signInPage, [200, 'You signed out.'], '/sign-in'])
    expect(sessionCookie(browser)).toBeUndefined()
    for (const each of [browser, copied]) {
      expect([heading(await each.open('/security')), (await authorize(each)).get('error')]).toEqual([signInPage, 'login_required'])
      expect(heading(await each.open(authorizationUrl(service, client, { scope: 'openid' }).url))).toEqual(signInPage)
    }
    // A form on a page that is still open leads to the sign-in page and does not affect the other session.
    expect([heading(await copied.press(page, 'Sign out')), await hasSession(other)]).toEqual([signInPage, true])
  })

  test('requires no password, however long ago the user signed in', async () => {
    const { browser } = await signedIn(service)
    const page = await browser.open('/security/passkeys/new')
    travel(16 * 60_000)
    expect(noticeOf(await browser.press(page, 'Sign out'))).toEqual([200, 'You signed out.'])
    expect(await hasSession(browser)).toBe(false)
  })

  test('works on the page of a team that the user no longer belongs to', async () => {
    const { user, browser } = await signedIn(service)
    const team = await createTeam(database)
    await join(database, team, await createPerson(database), 'owner')
    await join(database, team, user, 'member')
    const page = await browser.open(`/teams/${team.slug}/members`)
    await prisma.member.deleteMany({ where: { userId: user.id } })
    expect(noticeOf(await browser.press(page, 'Sign out'))).toEqual([200, 'You signed out.'])
    expect(await hasSession(browser)).toBe(false)
  })
})

describe('a signed-in user', () => {
  test('is signed out while the account is disabled and after it is deleted', async () => {
    const { user, browser } = await signedIn(service)
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect([await hasSession(browser), await isSignedIn(service, browser)]).toEqual([false, false])
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: null } })
    expect([await hasSession(browser), await isSignedIn(service, browser)]).toEqual([true, true])
    await prisma.user.delete({ where: { id: user.id } })
    expect([await hasSession(browser), await isSignedIn(service, browser)]).toEqual([false, false])
  })

  test('must confirm the password for a sensitive operation after 15 minutes, and then returns to it', async () => {
    const { browser } = await signedIn(service)
    const path = '/security/passkeys/new'
    travel(14 * 60_000)
    expect((await browser.open(path)).url.pathname).toBe(path)
    travel(2 * 60_000)
    const confirmation = await browser.open(`${path}?from=here`)
    expect([heading(confirmation), confirmation.url.pathname]).toEqual([[200, 'Confirm it’s you'], '/confirm'])
    expect(alertOf(await browser.press(confirmation, 'Continue', { Password: 'wrong' }))).toEqual([422, 'The password is incorrect.'])
    const returned = await browser.press(confirmation, 'Continue', { Password: password })
    expect(returned.url.href).toBe(`${url}${path}?from=here`)
    expect((await browser.open(path)).url.pathname).toBe(path)
    for (const evil of ['//evil.example', 'https://evil.example', '/..//evil.example']) {
      const page = await browser.open(`/confirm?${new URLSearchParams({ return_to: evil })}`)
      expect((await browser.press(page, 'Continue', { Password: password })).url.origin).toBe(url)
    }
  })

  test('must confirm the password again before sending a form that was opened 16 minutes ago', async () => {
    const { user, browser } = await signedIn(service)
    const page = await browser.open('/security/passkeys/new')
    travel(16 * 60_000)
    expect(heading(await browser.send(page, page.url.pathname, valuesOf(page)))).toEqual([200, 'Confirm it’s you'])
    expect(await prisma.passkey.count({ where: { userId: user.id } })).toBe(0)
  })

  test('stays signed in with a visit every 13 days, and is signed out after 14 days without one', async () => {
    const { browser } = await signedIn(service)
    const value = sessionCookie(browser)
    for (let round = 0; round < 3; round++) {
      travel(13 * day)
      const page = await browser.open('/security')
      expect(heading(page)).toEqual([200, 'Sign-in and security'])
      const line = setCookies(page)['session'] ?? ''
      const expires = new Date(/expires=([^;]+)/i.exec(line)?.[1] ?? '').getTime()
      expect([sessionCookie(browser), Math.round((expires - Date.now()) / 60_000)]).toEqual([value, (14 * day) / 60_000])
      // The cookie is renewed at most once a minute, not with every request.
      expect(Object.keys(setCookies(await browser.open('/security')))).toEqual([])
    }
    // The extra minute exceeds the clock difference of some seconds that oidc-provider tolerates.
    travel(14 * day + 60_000)
    expect(await hasSession(browser)).toBe(false)
    expect(await isSignedIn(service, browser)).toBe(false)
  })
})

test('signing in for an authorization request also signs in at the account site, and the reverse', async () => {
  const person = await createPerson(database)
  const client = await createClient(database)
  const browser = new Browser(url)
  await signIn(browser, await browser.open(authorizationUrl(service, client).url), person)
  expect(await hasSession(browser)).toBe(true)
  const { browser: second, user } = await signedIn(service)
  expect((await second.open(authorizationUrl(service, client).url)).text).toContain(`Signed in as ${user.email}`)
})
