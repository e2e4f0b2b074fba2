import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { alertOf, enter, heading } from '../../support/account-site/page-content.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { totpCode } from '../../support/data/totp.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { travel } from '../../support/service/clock.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Device cookies: docs/decisions/accounts.md#attempt-limits. The limits themselves: test/oauth/consent/sign-in-limits.slow.test.ts.

const quota = 10
const service = useService({ rateLimitSignInAccount: quota, rateLimitSignInAddress: 15 })
const { database } = service

const signedIn = [200, 'Sign-in and security']
const wrong = [422, 'The email address or password is incorrect.']
const throttled = [429, 'Too many attempts. Try again in 15 minutes.']

/** A browser with no cookie but the device cookie of another one. */
function browserWithDeviceOf({ cookies }: Browser): Browser {
  const browser = new Browser(service.url)
  const device = cookies.get('device /')
  if (device) browser.cookies.set('device /', device)
  return browser
}
async function signInOnce(user: { email: string }): Promise<Browser> {
  const browser = new Browser(service.url)
  expect(heading(await enter(browser, user))).toEqual(signedIn)
  return browserWithDeviceOf(browser)
}
async function attempt(browser: Browser, { email }: { email: string }, entered: string): Promise<Page> {
  const page = await browser.open('/sign-in?return_to=%2Fsecurity')
  return browser.press(page, 'Sign in', { 'Email address': email, Password: entered })
}
/** Strangers use up the attempts of the account, from one address, which a correct password resets. */
async function useUpAttempts(user: { email: string }): Promise<void> {
  const stranger = new Browser(service.url)
  for (let count = 0; count < quota; count++) expect(alertOf(await attempt(stranger, user, 'wrong'))).toEqual(wrong)
  expect(alertOf(await attempt(stranger, user, password))).toEqual(throttled)
  await database.prisma.attemptCount.deleteMany({ where: { key: { startsWith: 'sign-in-address' } } })
}

describe('while strangers have used up the attempts of an account', () => {
  test('a browser in which the account signed in before can sign in without limit, and a new one is refused', async () => {
    const user = await createPerson(database)
    const known = await signInOnce(user)
    await useUpAttempts(user)
    for (let count = 0; count < 3; count++) expect(heading(await attempt(browserWithDeviceOf(known), user, password))).toEqual(signedIn)
    expect(alertOf(await attempt(new Browser(service.url), user, password))).toEqual(throttled)
  })

  test('a browser in which the account signed in before is not refused by the limit of its address, either', async () => {
    const [user, other] = [await createPerson(database), await createPerson(database)]
    const known = await signInOnce(user)
    for (let count = 0; count < 5; count++) await attempt(new Browser(service.url), other, 'wrong')
    for (let count = 0; count < quota; count++) await attempt(new Browser(service.url), user, 'wrong')
    expect(alertOf(await attempt(new Browser(service.url), await createPerson(database), password))).toEqual(throttled)
    expect(heading(await attempt(known, user, password))).toEqual(signedIn)
    await database.prisma.attemptCount.deleteMany()
  })

  test('a cookie of another account, a changed one and an expired one do not help', async () => {
    const [user, other] = [await createPerson(database), await createPerson(database)]
    const [known, foreign] = [await signInOnce(user), await signInOnce(other)]
    await useUpAttempts(user)
    expect(alertOf(await attempt(foreign, user, password))).toEqual(throttled)
    const forged = browserWithDeviceOf(known)
    const cookie = forged.cookies.get('device /')
    const value = cookie?.value ?? ''
    for (const changed of [
      `${value.slice(0, -2)}AA`,
      value.slice(0, 40),
      Buffer.from(JSON.stringify([{ userId: user.id, id: 'x' }])).toString('base64url'),
      '',
      '%',
    ]) {
      forged.cookies.set('device /', { name: 'device', value: changed, path: '/' })
      expect(alertOf(await attempt(forged, user, password))).toEqual(throttled)
    }
    await database.prisma.attemptCount.deleteMany()
    travel(366 * 86_400_000)
    await useUpAttempts(user)
    expect(alertOf(await attempt(known, user, password))).toEqual(throttled)
  })
})

describe('a browser in which an account signed in before', () => {
  test('is blocked by its own wrong passwords, alone', async () => {
    const user = await createPerson(database)
    const [known, second] = [await signInOnce(user), await signInOnce(user)]
    for (let count = 0; count < quota; count++) expect(alertOf(await attempt(known, user, 'wrong'))).toEqual(wrong)
    expect(alertOf(await attempt(known, user, password))).toEqual(throttled)
    expect(heading(await attempt(second, user, password))).toEqual(signedIn)
    expect(heading(await attempt(new Browser(service.url), user, password))).toEqual(signedIn)
    // Signing in again does not give the browser another count.
    expect(alertOf(await attempt(known, user, password))).toEqual(throttled)
    travel(15 * 60_000 + 1000)
    expect(heading(await attempt(known, user, password))).toEqual(signedIn)
  })

  test('remembers several accounts, each with its own count', async () => {
    const [user, other] = [await createPerson(database), await createPerson(database)]
    const known = new Browser(service.url)
    await enter(known, user)
    known.cookies.delete('session /')
    await enter(known, other)
    const browser = browserWithDeviceOf(known)
    for (let count = 0; count < quota; count++) await attempt(browser, other, 'wrong')
    expect(alertOf(await attempt(browser, other, password))).toEqual(throttled)
    await useUpAttempts(user)
    expect(heading(await attempt(browser, user, password))).toEqual(signedIn)
  })

  test('has a count of its own for the second factor', async () => {
    const user = await createPerson(database)
    const known = await signInOnce(user)
    const { secret } = await enableTotp({ service, principal: await sessionOf(service, user) })
    const stranger = new Browser(service.url)
    const codePage = await attempt(stranger, user, password)
    for (let count = 0; count < quota; count++) expect((await stranger.press(codePage, 'Continue', { Code: '000000' })).status).toBe(422)
    service.clock.advance(30_000)
    const code = totpCode(secret, service.clock.now())
    expect(alertOf(await stranger.press(codePage, 'Continue', { Code: code }))).toEqual(throttled)
    const ownPage = await attempt(known, user, password)
    expect(heading(await known.press(ownPage, 'Continue', { Code: code }))).toEqual(signedIn)
  })

  test('keeps a cookie that does not reveal the account', async () => {
    const user = await createPerson(database)
    const value = (await signInOnce(user)).cookies.get('device /')?.value ?? ''
    const bytes = Buffer.from(value, 'base64url').toString('latin1')
    expect([value.length > 40, bytes.includes(user.id), bytes.includes(user.email)]).toEqual([true, false, false])
  })
})
