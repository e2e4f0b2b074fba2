import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { travel } from '../support/clock.ts'
import { createPerson, password, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createUser, unique } from '../support/team.ts'
import { alertOf, enter, heading, sessionCookie } from './shown.ts'

const service = await startService({ rateLimitSignInAccount: 3, rateLimitSignInAddress: 12, trustProxy: true })
const { database, url } = service

let lastAddress = 0
/** A browser at an address of its own unless told. */
function browserAt(address = `192.0.2.${++lastAddress}`): Browser {
  const browser = new Browser(url)
  browser.headers = { 'x-forwarded-for': address }
  return browser
}
const atSignIn = async (browser = browserAt()) => ({ browser, page: await browser.open('/sign-in?return_to=/security') })
const wrong = [422, 'The email address or password is not right.']

describe('who cannot sign in', () => {
  test('is told the same, whatever is wrong', async () => {
    const people = {
      wrong: [(await createPerson(database)).email, 'wrong'],
      empty: [(await createPerson(database)).email, ''],
      unknown: [`${unique('nobody')}@example.test`, password],
      withoutPassword: [(await createUser(database)).email, ''],
      disabled: [(await createPerson(database, { disabledAt: new Date() })).email, password],
      noAddress: ['"><script>', password],
      control: ['a\0b@example.test', 'a\0b'],
    } as const
    const pages = new Set<string>()
    for (const [email, secret] of Object.values(people)) {
      const { browser, page } = await atSignIn()
      const again = await browser.press(page, 'Sign in', { 'Email address': email, Password: secret })
      expect([alertOf(again), sessionCookie(browser)]).toEqual([wrong, undefined])
      const field = again.root.querySelector('[name=email]')
      expect([field?.getAttribute('value'), again.root.querySelector('[name=password]')?.getAttribute('value')]).toEqual([email, undefined])
      // All but the address typed, the seals, and the challenge of passkeys.
      field?.removeAttribute('value')
      for (const each of again.root.querySelectorAll('[name=csrf], [data-passkey]')) each.remove()
      pages.add(again.root.innerHTML)
    }
    expect(pages.size).toBe(1)
  })

  test('waits as long for an unknown address as for a wrong password', async () => {
    const { email } = await createPerson(database)
    const { browser, page } = await atSignIn()
    const measure = async (address: string) => {
      const began = performance.now()
      await signIn(browser, page, { ...(await createPerson(database)), email: address }, 'wrong')
      return performance.now() - began
    }
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let round = 0; round < 3; round++) {
      times.known.push(await measure(email))
      times.unknown.push(await measure(`${unique('nobody')}@example.test`))
    }
    // The fastest of each is the least disturbed; without the password to compare with it would be a tenth.
    const ratio = Math.min(...times.unknown) / Math.min(...times.known)
    expect(ratio).toBeGreaterThan(0.25)
    expect(ratio).toBeLessThan(4)
  })
})

describe('guessing', () => {
  const throttled = (page: Page) => [alertOf(page), page.headers.get('retry-after')]
  const refused = [[429, 'Too many attempts. Try again in 15 minutes.'], expect.stringMatching(/^(8\d\d|900)$/)]

  test('at one account ends for a while, from anywhere and with the right password too, and for no other account', async () => {
    const person = await createPerson(database)
    for (let guess = 0; guess < 3; guess++) {
      const { browser, page } = await atSignIn()
      expect(alertOf(await signIn(browser, page, person, 'wrong'))).toEqual(wrong)
    }
    const { browser, page } = await atSignIn()
    const again = await signIn(browser, page, person)
    expect([throttled(again), heading(again)]).toEqual([refused, [429, 'Sign in']])
    expect(heading(await enter(browserAt(), await createPerson(database)))).toEqual([200, 'Security'])
    travel(15 * 60_000 + 1000)
    expect(heading(await signIn(browser, again, person))).toEqual([200, 'Security'])
  })

  test('at many accounts from one address ends too, and uses up nobody’s account', async () => {
    const address = '198.51.100.7'
    const person = await createPerson(database)
    const { browser, page } = await atSignIn(browserAt(address))
    const strange = async () => signIn(browser, page, { ...person, email: `${unique('stranger')}@example.test` })
    for (let guess = 0; guess < 12; guess++) expect(alertOf(await strange())).toEqual(wrong)
    for (let guess = 0; guess < 4; guess++) expect(throttled(await signIn(browser, page, person))).toEqual(refused)
    expect(heading(await enter(browserAt(), person))).toEqual([200, 'Security'])
    travel(15 * 60_000 + 1000)
    expect(heading(await enter(browserAt(address), person))).toEqual([200, 'Security'])
  })

  test('at an unlocked screen is counted as at the sign-in page', async () => {
    const person = await createPerson(database)
    const browser = browserAt()
    await enter(browser, person)
    const page = await browser.open('/confirm?return_to=/security')
    const guess = (secret: string) => browser.press(page, 'Continue', { Password: secret })
    for (let count = 0; count < 3; count++) expect(alertOf(await guess('wrong'))).toEqual([422, 'The password is not right.'])
    expect(throttled(await guess(password))).toEqual(refused)
    const elsewhere = await atSignIn()
    expect(throttled(await signIn(elsewhere.browser, elsewhere.page, person))).toEqual(refused)
  })
})
