import { hash } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { travel } from '../../support/service/clock.ts'
import { createPerson, password, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createUser, unique } from '../../support/data/team.ts'
import { alertOf, enter, heading, sessionCookie } from '../../support/account-site/page-content.ts'

const service = useService({ rateLimitSignInAccount: 3, rateLimitSignInAddress: 12, trustProxy: true })
const { database, url } = service

let lastAddress = 0
/** Returns a browser with this IP address, by default one that no other browser uses. */
function browserAt(address = `192.0.2.${++lastAddress}`): Browser {
  const browser = new Browser(url)
  browser.headers = { 'x-forwarded-for': address }
  return browser
}
const openSignIn = async (browser = browserAt()) => ({ browser, page: await browser.open('/sign-in?return_to=/security') })
const wrongCredentials = [422, 'The email address or password is incorrect.']

describe('a failed sign-in', () => {
  test('shows the same page for every cause', async () => {
    const attempts = {
      wrong: [(await createPerson(database)).email, 'wrong'],
      empty: [(await createPerson(database)).email, ''],
      unknown: [`${unique('nobody')}@example.test`, password],
      withoutPassword: [(await createUser(database)).email, ''],
      disabled: [(await createPerson(database, { disabledAt: new Date() })).email, password],
      noAddress: ['"><script>', password],
      control: ['a\0b@example.test', 'a\0b'],
    } as const
    const pages = new Set<string>()
    for (const [email, secret] of Object.values(attempts)) {
      const { browser, page } = await openSignIn()
      const response = await browser.press(page, 'Sign in', { 'Email address': email, Password: secret })
      expect([alertOf(response), sessionCookie(browser)]).toEqual([wrongCredentials, undefined])
      const field = response.root.querySelector('[name=email]')
      expect([field?.getAttribute('value'), response.root.querySelector('[name=password]')?.getAttribute('value')]).toEqual([
        email,
        undefined,
      ])
      // The entered address, the CSRF tokens and the passkey challenge differ between the pages.
      field?.removeAttribute('value')
      for (const each of response.root.querySelectorAll('[name=csrf], [data-passkey]')) each.remove()
      pages.add(response.root.innerHTML)
    }
    expect(pages.size).toBe(1)
  })

  test('takes as long for an unknown address and for an imported hash that is expensive as for a wrong password', async () => {
    const imported = await createPerson(database, {
      passwordHash: await hash(password, { memoryCost: 65_536, timeCost: 4, parallelism: 1 }),
    })
    const measure = async (user: User) => {
      const { browser, page } = await openSignIn()
      const began = performance.now()
      await signIn(browser, page, user, 'wrong')
      return performance.now() - began
    }
    // The minimum is the measurement with the least interference. Without the same hashes to compare, a ratio would be 0.1,
    // however often it is measured; on a busy machine it comes near 1 after some rounds.
    const shortest = { known: Infinity, unknown: Infinity, imported: Infinity }
    const isSimilar = () => [shortest.unknown, shortest.imported].every((time) => Math.abs(Math.log2(time / shortest.known)) < 2)
    for (let round = 0; round < 20 && !(round >= 3 && isSimilar()); round++) {
      const user = await createPerson(database)
      shortest.known = Math.min(shortest.known, await measure(user))
      shortest.imported = Math.min(shortest.imported, await measure(imported))
      shortest.unknown = Math.min(shortest.unknown, await measure({ ...user, email: `${unique('nobody')}@example.test` }))
    }
    expect([shortest, isSimilar()]).toEqual([shortest, true])
  })
})

describe('guessing passwords', () => {
  const throttled = (page: Page) => [alertOf(page), page.headers.get('retry-after')]
  const tooManyAttempts = [[429, 'Too many attempts. Try again in 15 minutes.'], expect.stringMatching(/^(8\d\d|900)$/)]

  test('of one account blocks only this account for 15 minutes, at all IP addresses and even with the right password', async () => {
    const user = await createPerson(database)
    for (let attempt = 0; attempt < 3; attempt++) {
      const { browser, page } = await openSignIn()
      expect(alertOf(await signIn(browser, page, user, 'wrong'))).toEqual(wrongCredentials)
    }
    const { browser, page } = await openSignIn()
    const response = await signIn(browser, page, user)
    expect([throttled(response), heading(response)]).toEqual([tooManyAttempts, [429, 'Sign in']])
    expect(heading(await enter(browserAt(), await createPerson(database)))).toEqual([200, 'Sign-in and security'])
    travel(15 * 60_000 + 1000)
    expect(heading(await signIn(browser, response, user))).toEqual([200, 'Sign-in and security'])
  })

  test('of many accounts from one IP address blocks the IP address for 15 minutes, but not the accounts', async () => {
    const address = '198.51.100.7'
    const user = await createPerson(database)
    const { browser, page } = await openSignIn(browserAt(address))
    const signInAsUnknown = async () => signIn(browser, page, { ...user, email: `${unique('stranger')}@example.test` })
    for (let attempt = 0; attempt < 12; attempt++) expect(alertOf(await signInAsUnknown())).toEqual(wrongCredentials)
    for (let attempt = 0; attempt < 4; attempt++) expect(throttled(await signIn(browser, page, user))).toEqual(tooManyAttempts)
    expect(heading(await enter(browserAt(), user))).toEqual([200, 'Sign-in and security'])
    travel(15 * 60_000 + 1000)
    expect(heading(await enter(browserAt(address), user))).toEqual([200, 'Sign-in and security'])
  })

  test('on the confirmation page counts towards the same limit as on the sign-in page', async () => {
    const user = await createPerson(database)
    const browser = browserAt()
    await enter(browser, user)
    const page = await browser.open('/confirm?return_to=/security')
    const attempt = (secret: string) => browser.press(page, 'Continue', { Password: secret })
    for (let count = 0; count < 3; count++) expect(alertOf(await attempt('wrong'))).toEqual([422, 'The password is incorrect.'])
    expect(throttled(await attempt(password))).toEqual(tooManyAttempts)
    browser.cookies.delete('session /')
    expect(throttled(await enter(browser, user))).toEqual(tooManyAttempts)
  })
})
