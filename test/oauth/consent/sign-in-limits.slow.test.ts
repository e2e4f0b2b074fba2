import { beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { authorizationUrl, createClient, createPerson, signIn } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'
import type { TestClient } from '../../support/oauth/oauth.ts'

const service = useService({ rateLimitSignInAccount: 3, rateLimitSignInAddress: 12, trustProxy: true })
const { database } = service
let client: TestClient
beforeAll(async () => {
  client = await createClient(database)
})

let lastAddress = 0
/** Opens the sign-in page in a new browser. Default: an IP address that no other browser uses. */
async function openSignIn(address = `192.0.2.${++lastAddress}`) {
  const browser = new Browser(service.url)
  browser.headers = { 'x-forwarded-for': address }
  return { browser, page: await browser.open(authorizationUrl(service, client).url) }
}

const wrongCredentials = 'The email address or password is incorrect.'
const outcome = ({ status, headers, root }: Page) => [status, headers.get('retry-after'), root.querySelector('[role=alert]')?.text]
const throttled = [429, expect.stringMatching(/^(8[0-9]{2}|900)$/), 'Too many attempts. Try again in 15 minutes.']

describe('sign-in attempts with a wrong password', () => {
  test('block the account for 15 minutes, for every IP address, every spelling of the email address and the correct password', async () => {
    const user = await createPerson(database)
    const spellings = [user.email, ` ${user.email}`, user.email.toUpperCase()]
    for (const email of spellings) {
      const { browser, page } = await openSignIn()
      expect(outcome(await signIn(browser, page, { ...user, email }, 'wrong'))).toEqual([422, null, wrongCredentials])
    }
    const { browser, page } = await openSignIn()
    const blocked = await signIn(browser, page, user)
    expect(outcome(blocked)).toEqual(throttled)
    expect([blocked.root.querySelector('[name=email]')?.getAttribute('value'), blocked.root.querySelector('h1')?.text]).toEqual([
      user.email,
      'Sign in',
    ])
    travel(15 * 60_000 + 1000)
    expect((await signIn(browser, blocked, user)).text).toContain(`Signed in as ${user.email}`)
  })

  test('block an email address without an account in the same way', async () => {
    const deleted = await createPerson(database, { email: `${unique('gone')}@example.test` })
    await database.prisma.user.delete({ where: { id: deleted.id } })
    const { browser, page } = await openSignIn()
    const pages: Page[] = []
    for (let attempt = 0; attempt < 4; attempt++) pages.push(await signIn(browser, page, deleted))
    expect(pages.map(outcome)).toEqual([
      [422, null, wrongCredentials],
      [422, null, wrongCredentials],
      [422, null, wrongCredentials],
      throttled,
    ])
  })

  test('are limited to three when nine are sent at once', async () => {
    const user = await createPerson(database)
    const browsers = await Promise.all(Array.from({ length: 9 }, () => openSignIn()))
    const pages = await Promise.all(browsers.map(({ browser, page }) => signIn(browser, page, user, 'wrong')))
    expect(pages.filter(({ status }) => status === 422).length).toBe(3)
    expect(pages.filter(({ status }) => status === 429).length).toBe(6)
  })

  test('are counted from zero again after a successful sign-in', async () => {
    const user = await createPerson(database)
    for (let round = 0; round < 3; round++) {
      const { browser, page } = await openSignIn()
      for (let attempt = 0; attempt < 2; attempt++) expect((await signIn(browser, page, user, 'wrong')).status).toBe(422)
      expect((await signIn(browser, page, user)).text).toContain('Signed in as')
    }
  })
})

describe('sign-in attempts on many accounts from one IP address', () => {
  test('block the IP address but not the accounts, and successful sign-ins are not counted', async () => {
    const address = '198.51.100.7'
    const user = await createPerson(database)
    for (let round = 0; round < 3; round++) {
      const { browser, page } = await openSignIn(address)
      expect((await signIn(browser, page, user)).text).toContain('Signed in as')
    }
    const { browser, page } = await openSignIn(address)
    for (let attempt = 0; attempt < 12; attempt++) {
      const unknown = { ...user, email: `${unique('unknown')}@example.test` }
      expect((await signIn(browser, page, unknown)).status).toBe(422)
    }
    for (let attempt = 0; attempt < 5; attempt++) expect(outcome(await signIn(browser, page, user))).toEqual(throttled)
    const elsewhere = await openSignIn()
    expect((await signIn(elsewhere.browser, elsewhere.page, user)).text).toContain('Signed in as')
  })
})
