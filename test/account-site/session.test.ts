import { describe, expect, test } from 'vitest'
import { formOf, isSignedIn } from '../support/authorization.ts'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { travel } from '../support/clock.ts'
import { authorizationUrl, createClient, createPerson, password, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createTeam, join } from '../support/team.ts'
import { alertOf, enter, heading, noticeOf, sessionCookie, signedIn, valuesOf } from './shown.ts'

const service = await startService()
const { database, url } = service
const { prisma } = database
const day = 86_400_000

/** Another browser with the same cookies. */
function copyOf({ cookies }: Browser): Browser {
  const copy = new Browser(url)
  for (const [key, cookie] of cookies) copy.cookies.set(key, cookie)
  return copy
}
const atSignIn = [200, 'Sign in']
const isIn = async (browser: Browser) => heading(await browser.open('/security'))[1] === 'Security'
/** The lines of Set-Cookie of a page's answer, by the cookies' names. */
const setBy = ({ headers }: Page) => Object.fromEntries(headers.getSetCookie().map((line) => [line.slice(0, line.indexOf('=')), line]))

describe('a session that somebody else planted', () => {
  test('is not the one that is signed in', async () => {
    const attacker = new Browser(url)
    await attacker.open('/login/device')
    expect(sessionCookie(attacker)).toMatch(/^[\w-]{43}$/)
    const victim = copyOf(attacker)
    await enter(victim, await createPerson(database))
    expect(sessionCookie(victim)).not.toBe(sessionCookie(attacker))
    expect([await isIn(victim), await isIn(attacker), await isSignedIn(service, attacker)]).toEqual([true, false, false])
  })

  test.each(['A'.repeat(43), 'x', '', '"><script>'])('and made up (%j) is nobody’s', async (value) => {
    const browser = new Browser(url)
    browser.cookies.set('session /', { name: 'session', value, path: '/' })
    expect(heading(await browser.open('/security'))).toEqual(atSignIn)
    await enter(browser, await createPerson(database))
    expect([await isIn(browser), sessionCookie(browser) === value]).toEqual([true, false])
  })

  test('of their own is replaced, and ends: nobody is in two accounts', async () => {
    const { browser: attacker } = await signedIn(service)
    const victim = copyOf(attacker)
    const person = await createPerson(database)
    const page = await enter(victim, person)
    expect([page.text.includes(person.name), await isIn(victim), await isIn(attacker)]).toEqual([true, true, false])
  })

  test('with the mark of a browser gives nobody the forms of the other', async () => {
    const attacker = new Browser(url)
    await attacker.open('/sign-in')
    const victim = copyOf(attacker)
    const page = await enter(victim, await createPerson(database))
    const foreign = formOf(await attacker.open('/sign-in'), 'Sign in').values.get('csrf') ?? ''
    const { values } = formOf(page, 'Sign out')
    values.set('csrf', foreign)
    expect(heading(await victim.send(page, '/security', values))).toEqual([403, 'This form has expired'])
    expect(await isIn(victim)).toBe(true)
  })
})

describe('the identifier of a session', () => {
  test('is another one after signing in again, and after showing the password again; the one before opens nothing', async () => {
    const { user, browser } = await signedIn(service)
    const [first, old] = [sessionCookie(browser), copyOf(browser)]
    await enter(browser, user)
    const [second, older] = [sessionCookie(browser), copyOf(browser)]
    const page = await browser.open('/confirm?return_to=/security')
    expect(heading(await browser.press(page, 'Continue', { Password: password }))).toEqual([200, 'Security'])
    expect(new Set([first, second, sessionCookie(browser)]).size).toBe(3)
    expect([await isIn(browser), await isIn(old), await isIn(older)]).toEqual([true, false, false])
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(1)
  })
})

describe('who signs out', () => {
  test('is out at every door from the next request on, and nowhere else', async () => {
    const { user, browser, page } = await signedIn(service)
    const other = new Browser(url)
    await enter(other, user)
    const client = await createClient(database)
    await browser.press(await browser.open(authorizationUrl(service, client, { scope: 'openid' }).url), 'Allow access')
    const kept = copyOf(browser)
    const silent = async (from: Browser) =>
      (await from.open(authorizationUrl(service, client, { scope: 'openid', prompt: 'none' }).url)).url.searchParams
    expect((await silent(kept)).has('code')).toBe(true)

    const out = await browser.press(page, 'Sign out')
    expect([heading(out), noticeOf(out), out.url.pathname]).toEqual([atSignIn, [200, 'You are signed out.'], '/sign-in'])
    expect(sessionCookie(browser)).toBeUndefined()
    for (const each of [browser, kept]) {
      expect([heading(await each.open('/security')), (await silent(each)).get('error')]).toEqual([atSignIn, 'login_required'])
      expect(heading(await each.open(authorizationUrl(service, client, { scope: 'openid' }).url))).toEqual(atSignIn)
    }
    // What the page that was left open sends does nothing, and leads to signing in.
    expect([heading(await kept.press(page, 'Sign out')), await isIn(other)]).toEqual([atSignIn, true])
  })

  test('gives no password for it, however long ago they signed in', async () => {
    const { browser } = await signedIn(service)
    const page = await browser.open('/security/passkeys/new')
    travel(16 * 60_000)
    expect(noticeOf(await browser.press(page, 'Sign out'))).toEqual([200, 'You are signed out.'])
    expect(await isIn(browser)).toBe(false)
  })

  test('does so from the page of a team that they have left meanwhile, too', async () => {
    const { user, browser } = await signedIn(service)
    const team = await createTeam(database)
    await join(database, team, await createPerson(database), 'owner')
    await join(database, team, user, 'member')
    const page = await browser.open(`/teams/${team.slug}/members`)
    await prisma.member.deleteMany({ where: { userId: user.id } })
    expect(noticeOf(await browser.press(page, 'Sign out'))).toEqual([200, 'You are signed out.'])
    expect(await isIn(browser)).toBe(false)
  })
})

describe('a person', () => {
  test('who is disabled is out on the next request, and back when enabled; who is deleted is out', async () => {
    const { user, browser } = await signedIn(service)
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect([await isIn(browser), await isSignedIn(service, browser)]).toEqual([false, false])
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: null } })
    expect([await isIn(browser), await isSignedIn(service, browser)]).toEqual([true, true])
    await prisma.user.delete({ where: { id: user.id } })
    expect([await isIn(browser), await isSignedIn(service, browser)]).toEqual([false, false])
  })

  test('is asked for the password before what is dangerous, for 15 minutes at a time, and comes back to it', async () => {
    const { browser } = await signedIn(service)
    const path = '/security/passkeys/new'
    travel(14 * 60_000)
    expect((await browser.open(path)).url.pathname).toBe(path)
    travel(2 * 60_000)
    const asked = await browser.open(`${path}?from=here`)
    expect([heading(asked), asked.url.pathname]).toEqual([[200, 'Is it you?'], '/confirm'])
    expect(alertOf(await browser.press(asked, 'Continue', { Password: 'wrong' }))).toEqual([422, 'The password is not right.'])
    const back = await browser.press(asked, 'Continue', { Password: password })
    expect(back.url.href).toBe(`${url}${path}?from=here`)
    expect((await browser.open(path)).url.pathname).toBe(path)
    for (const evil of ['//evil.example', 'https://evil.example', '/..//evil.example']) {
      const page = await browser.open(`/confirm?${new URLSearchParams({ return_to: evil })}`)
      expect((await browser.press(page, 'Continue', { Password: password })).url.origin).toBe(url)
    }
  })

  test('sends nothing from a page that was left open for too long', async () => {
    const { user, browser } = await signedIn(service)
    const page = await browser.open('/security/passkeys/new')
    travel(16 * 60_000)
    expect(heading(await browser.send(page, page.url.pathname, valuesOf(page)))).toEqual([200, 'Is it you?'])
    expect(await prisma.passkey.count({ where: { userId: user.id } })).toBe(0)
  })

  test('stays signed in by coming back within 14 days, and no longer', async () => {
    const { browser } = await signedIn(service)
    const value = sessionCookie(browser)
    for (let round = 0; round < 3; round++) {
      travel(13 * day)
      const page = await browser.open('/security')
      expect(heading(page)).toEqual([200, 'Security'])
      const line = setBy(page)['session'] ?? ''
      const expires = new Date(/expires=([^;]+)/i.exec(line)?.[1] ?? '').getTime()
      expect([sessionCookie(browser), Math.round((expires - Date.now()) / 60_000)]).toEqual([value, (14 * day) / 60_000])
      // Not with every request: once a minute is enough.
      expect(Object.keys(setBy(await browser.open('/security')))).toEqual([])
    }
    // oidc-provider forgives clocks that differ by seconds.
    travel(14 * day + 60_000)
    expect(await isIn(browser)).toBe(false)
    expect(await isSignedIn(service, browser)).toBe(false)
  })
})

test('signing in for an interaction is signing in at the site, and the other way round', async () => {
  const person = await createPerson(database)
  const client = await createClient(database)
  const browser = new Browser(url)
  await signIn(browser, await browser.open(authorizationUrl(service, client).url), person)
  expect(await isIn(browser)).toBe(true)
  const { browser: second, user } = await signedIn(service)
  expect((await second.open(authorizationUrl(service, client).url)).text).toContain(`Signed in as ${user.email}`)
})
