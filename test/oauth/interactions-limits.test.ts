import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { travel } from '../support/clock.ts'
import { authorizationUrl, createClient, createPerson, signIn } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { unique } from '../support/team.ts'

const service = await startService({ rateLimitSignInAccount: 3, rateLimitSignInAddress: 12, trustProxy: true })
const { database } = service
const client = await createClient(database)

let lastAddress = 0
/** A browser at the sign-in page, at an address of its own unless told. */
async function atSignIn(address = `192.0.2.${++lastAddress}`) {
  const browser = new Browser(service.url)
  browser.headers = { 'x-forwarded-for': address }
  return { browser, page: await browser.open(authorizationUrl(service, client).url) }
}

const wrong = 'The email address or password is not right.'
const outcome = ({ status, headers, root }: Page) => [status, headers.get('retry-after'), root.querySelector('[role=alert]')?.text]
const throttled = [429, expect.stringMatching(/^(8[0-9]{2}|900)$/), 'Too many attempts. Try again in 15 minutes.']

describe('guessing the password of an account', () => {
  test('ends for 15 minutes, from any address, however the account is written and even with the right one', async () => {
    const person = await createPerson(database)
    const spellings = [person.email, ` ${person.email}`, person.email.toUpperCase()]
    for (const email of spellings) {
      const { browser, page } = await atSignIn()
      expect(outcome(await signIn(browser, page, { ...person, email }, 'wrong'))).toEqual([422, null, wrong])
    }
    const { browser, page } = await atSignIn()
    const refused = await signIn(browser, page, person)
    expect(outcome(refused)).toEqual(throttled)
    expect([refused.root.querySelector('[name=email]')?.getAttribute('value'), refused.root.querySelector('h1')?.text]).toEqual([
      person.email,
      'Sign in',
    ])
    travel(15 * 60_000 + 1000)
    expect((await signIn(browser, refused, person)).text).toContain(`Signed in as ${person.email}`)
  })

  test('of one that is not there ends the same way', async () => {
    const nobody = await createPerson(database, { email: `${unique('gone')}@example.test` })
    await database.prisma.user.delete({ where: { id: nobody.id } })
    const { browser, page } = await atSignIn()
    const pages: Page[] = []
    for (let guess = 0; guess < 4; guess++) pages.push(await signIn(browser, page, nobody))
    expect(pages.map(outcome)).toEqual([[422, null, wrong], [422, null, wrong], [422, null, wrong], throttled])
  })

  test('many times at once is judged no more often', async () => {
    const person = await createPerson(database)
    const attempts = await Promise.all(Array.from({ length: 9 }, () => atSignIn()))
    const pages = await Promise.all(attempts.map(({ browser, page }) => signIn(browser, page, person, 'wrong')))
    expect(pages.filter(({ status }) => status === 422).length).toBe(3)
    expect(pages.filter(({ status }) => status === 429).length).toBe(6)
  })

  test('starts again from none once the person has signed in', async () => {
    const person = await createPerson(database)
    for (let round = 0; round < 3; round++) {
      const { browser, page } = await atSignIn()
      for (let guess = 0; guess < 2; guess++) expect((await signIn(browser, page, person, 'wrong')).status).toBe(422)
      expect((await signIn(browser, page, person)).text).toContain('Signed in as')
    }
  })
})

describe('guessing at many accounts from one address', () => {
  test('ends too, and uses up nobody’s account any more; signing in costs nothing', async () => {
    const address = '198.51.100.7'
    const person = await createPerson(database)
    for (let round = 0; round < 3; round++) {
      const { browser, page } = await atSignIn(address)
      expect((await signIn(browser, page, person)).text).toContain('Signed in as')
    }
    const { browser, page } = await atSignIn(address)
    for (let guess = 0; guess < 12; guess++) {
      const stranger = { ...person, email: `${unique('stranger')}@example.test` }
      expect((await signIn(browser, page, stranger)).status).toBe(422)
    }
    for (let guess = 0; guess < 5; guess++) expect(outcome(await signIn(browser, page, person))).toEqual(throttled)
    const elsewhere = await atSignIn()
    expect((await signIn(elsewhere.browser, elsewhere.page, person)).text).toContain('Signed in as')
  })
})
