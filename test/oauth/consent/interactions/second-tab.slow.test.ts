import { describe, expect, test } from 'vitest'
import { heading } from '../../../support/account-site/page-content.ts'
import { Browser } from '../../../support/browser/browser.ts'
import { enableTotp } from '../../../support/data/second-factor.ts'
import { totpCode } from '../../../support/data/totp.ts'
import { authorizationUrl, createClient, createPerson, password, signIn } from '../../../support/oauth/oauth.ts'
import { sessionOf } from '../../../support/service/in-process.ts'
import { useService } from '../../../support/service/service.ts'

const service = useService()
const { database, clock } = service

/** Opens the sign-in page of two authorization requests in one browser, and signs in on the first. */
async function signInOnFirst(changes: Record<string, string | undefined> = {}) {
  const user = await createPerson(database)
  const [first, second] = [await createClient(database), await createClient(database)]
  const browser = new Browser(service.url)
  const page = await browser.open(authorizationUrl(service, first).url)
  const tab = await browser.open(authorizationUrl(service, second, changes).url)
  expect(heading(tab)).toEqual([200, 'Sign in'])
  expect(heading(await signIn(browser, page, user))).toEqual([200, 'Allow Example App to access your account?'])
  return { user, browser, tab }
}

describe('the sign-in page in a second tab of a user who has signed in meanwhile', () => {
  test('continues with the request when it is loaded again', async () => {
    const { user, browser, tab } = await signInOnFirst()
    const consent = await browser.open(tab.url)
    expect([heading(consent), consent.text.includes(`Signed in as ${user.email}`)]).toEqual([
      [200, 'Allow Example App to access your account?'],
      true,
    ])
    expect((await browser.press(consent, 'Allow access')).url.searchParams.has('code')).toBe(true)
  })

  test('continues with the request when the user submits the same address', async () => {
    const { user, browser, tab } = await signInOnFirst()
    const consent = await signIn(browser, tab, { ...user, email: ` ${user.email.toUpperCase()}` })
    expect([heading(consent), consent.text.includes(`Signed in as ${user.email}`)]).toEqual([
      [200, 'Allow Example App to access your account?'],
      true,
    ])
  })

  test('does not continue as this user when another address is submitted', async () => {
    const { browser, tab } = await signInOnFirst()
    expect(heading(await signIn(browser, tab, await createPerson(database)))).toEqual([403, 'This form has expired'])
  })

  test.each([{ prompt: 'login' }, { max_age: '3600' }])('asks for the password again for %o', async (changes) => {
    const { user, browser, tab } = await signInOnFirst(changes)
    clock.advance(1000)
    expect(heading(await browser.open(tab.url))).toEqual([200, 'Sign in'])
    expect(heading(await signIn(browser, tab, user))).toEqual([403, 'This form has expired'])
    const again = await browser.open(tab.url)
    expect(heading(await signIn(browser, again, user, 'wrong'))).toEqual([422, 'Sign in'])
    expect(heading(await signIn(browser, again, user))).toEqual([200, 'Allow Example App to access your account?'])
  })

  test('asks for another account after "Use another account"', async () => {
    const { browser, tab } = await signInOnFirst()
    const switched = await browser.press(await browser.open(tab.url), 'Use another account')
    expect(heading(switched)).toEqual([200, 'Sign in'])
    expect(heading(await browser.open(switched.url))).toEqual([200, 'Sign in'])
  })

  test('leads to the requested page of the account site', async () => {
    const user = await createPerson(database)
    const browser = new Browser(service.url)
    const [page, tab] = [await browser.open('/sign-in'), await browser.open('/security')]
    await signIn(browser, page, user)
    expect(heading(await signIn(browser, tab, user))).toEqual([200, 'Sign-in and security'])
  })
})

test.each(['loaded again', 'submitted'])(
  'the second-factor page in a second tab continues after the sign-in in the first when it is %s',
  async (how) => {
    const user = await createPerson(database)
    const { secret } = await enableTotp({ service, principal: { ...(await sessionOf(service, user)), authenticatedAt: clock.now() } })
    clock.advance(30_000)
    const browser = new Browser(service.url)
    const enterPassword = async () =>
      browser.press(await browser.open(authorizationUrl(service, await createClient(database)).url), 'Sign in', {
        'Email address': user.email,
        Password: password,
      })
    const [page, tab] = [await enterPassword(), await enterPassword()]
    await browser.press(page, 'Continue', { Code: totpCode(secret, clock.now()) })
    const next = how === 'submitted' ? browser.press(tab, 'Continue', { Code: '123456' }) : browser.open(tab.url)
    expect(heading(await next)).toEqual([200, 'Allow Example App to access your account?'])
  },
)
