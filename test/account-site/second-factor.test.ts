import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { sessionOf } from '../support/in-process.ts'
import { authorizationUrl, createClient, createPerson, exchangeCode, password } from '../support/oauth.ts'
import { turnOn } from '../support/second-factor.ts'
import { startService } from '../support/service.ts'
import { totpCode } from '../support/totp.ts'
import { alertOf, enter, heading } from './shown.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const wrong = 'The code is not right, or was used already.'

/** A person whose second factor is on, a time step ago. */
async function careful() {
  const user = await createPerson(database)
  const as = { ...(await sessionOf(service, user)), authenticatedAt: clock.now() }
  const { secret, recoveryCodes } = await turnOn({ service, as })
  clock.advance(30_000)
  return { user, recoveryCodes, code: () => totpCode(secret, clock.now()) }
}

/** As far as the right password leads; in a browser of its own. */
async function halfWay(user: { email: string }) {
  const browser = new Browser(service.url)
  return { browser, page: await enter(browser, user) }
}

describe('somebody with a second factor', () => {
  test('is asked for a code after the right password, and comes to where they wanted', async () => {
    const { user, code } = await careful()
    const { browser, page } = await halfWay(user)
    expect([page.url.pathname, ...heading(page)]).toEqual(['/sign-in/second-factor', 200, 'Second factor'])
    // They have no passkey to use instead.
    expect(page.root.querySelector('[data-passkey]')).toBeNull()
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
    const end = await browser.press(page, 'Continue', { Code: code() })
    expect([end.url.pathname, ...heading(end)]).toEqual(['/security', 200, 'Security'])
    expect(await prisma.session.findMany({ where: { userId: user.id } })).toEqual([
      expect.objectContaining({ methods: ['pwd', 'otp'], authenticatedAt: expect.any(Date) }),
    ])
    expect((await browser.open('/sign-in/second-factor')).url.pathname).toBe('/account')
  })

  test('signs in with a recovery code once, however it is typed', async () => {
    const { user, recoveryCodes } = await careful()
    const typed = ` ${recoveryCodes[0]?.toLowerCase().replaceAll('-', ' ')}`
    const first = await halfWay(user)
    expect(heading(await first.browser.press(first.page, 'Continue', { Code: typed }))).toEqual([200, 'Security'])
    const second = await halfWay(user)
    expect(alertOf(await second.browser.press(second.page, 'Continue', { Code: typed }))).toEqual([422, wrong])
  })

  test('is not let in by a code that is wrong, used, old, somebody else’s or none, and the field is empty again', async () => {
    const { user, code } = await careful()
    const other = await careful()
    const used = code()
    const first = await halfWay(user)
    await first.browser.press(first.page, 'Continue', { Code: used })
    const { browser, page } = await halfWay(user)
    for (const each of ['000000', used, other.code(), other.recoveryCodes[0] ?? '', '', '\0', 'x'.repeat(3000), '٣٤٥٦٧٨']) {
      const back = await browser.press(page, 'Continue', { Code: each })
      expect([each, ...alertOf(back)]).toEqual([each, 422, wrong])
      expect(back.root.querySelector('input[name=code]')?.getAttribute('value')).toBeUndefined()
    }
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(1)
  })

  test('starts again after ten minutes', async () => {
    const { user, code } = await careful()
    const { browser, page } = await halfWay(user)
    clock.advance(600_001)
    const end = await browser.press(page, 'Continue', { Code: code() })
    expect([end.url.pathname, ...heading(end)]).toEqual(['/sign-in', 200, 'Sign in'])
  })

  test('of two browsers with one code at once, one is let in', async () => {
    const { user, code } = await careful()
    const both = await Promise.all([halfWay(user), halfWay(user)])
    const sent = code()
    const ends = await Promise.all(both.map(({ browser, page }) => browser.press(page, 'Continue', { Code: sent })))
    expect(ends.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 422])
  })

  test('shows it again before what is dangerous', async () => {
    const { user, code } = await careful()
    const { browser, page } = await halfWay(user)
    await browser.press(page, 'Continue', { Code: code() })
    clock.advance(16 * 60_000)
    const asked = await browser.press(await browser.open('/security'), 'Yes, turn it off')
    expect(heading(asked)).toEqual([200, 'Is it you?'])
    const second = await browser.press(asked, 'Continue', { Password: password })
    expect(heading(second)).toEqual([200, 'Second factor'])
    expect(heading(await browser.press(second, 'Continue', { Code: code() }))).toEqual([200, 'Security'])
    expect((await prisma.session.findFirstOrThrow({ where: { userId: user.id } })).methods).toEqual(['pwd', 'otp'])
  })

  test('who was disabled meanwhile is let in nowhere', async () => {
    const { user, code } = await careful()
    const { browser, page } = await halfWay(user)
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect(heading(await browser.press(page, 'Continue', { Code: code() }))).toEqual([200, 'Sign in'])
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
  })

  test('comes back to the client that asked, which is told how they signed in', async () => {
    const { user, code } = await careful()
    const client = await createClient(database)
    const browser = new Browser(service.url)
    const { url, verifier } = authorizationUrl(service, client)
    const first = await browser.press(await browser.open(url), 'Sign in', { 'Email address': user.email, Password: password })
    expect(heading(first)).toEqual([200, 'Second factor'])
    expect(first.headers.get('content-security-policy')).toContain(`form-action 'self' ${new URL(client.redirectUri).origin}`)
    const consent = await browser.press(first, 'Continue', { Code: code() })
    const { url: callback } = await browser.press(consent, 'Allow access')
    const { body } = await exchangeCode(service, client, { code: callback.searchParams.get('code') ?? '', verifier })
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: user.id, amr: ['pwd', 'otp'] })
  })
})

test('the step is nothing for who gave no password, and a forged cookie opens it to nobody', async () => {
  const browser = new Browser(service.url)
  for (const value of ['x', Buffer.from('{"value":"{}","until":9e15}').toString('base64url')]) {
    browser.cookies.set('half-way /', { name: 'half-way', value, path: '/' })
    expect(heading(await browser.open('/sign-in/second-factor'))).toEqual([200, 'Sign in'])
  }
})

test('a form that no page of ours was sent for is refused', async () => {
  const { user, code } = await careful()
  const { browser, page } = await halfWay(user)
  const sent = await browser.send(page, '/sign-in/second-factor', new URLSearchParams({ form: 'code', csrf: 'x', code: code() }))
  expect(sent.status).toBe(403)
  expect(heading(await browser.press(page, 'Continue', { Code: code() }))).toEqual([200, 'Security'])
})

describe('where guesses are limited', async () => {
  const limited = await startService({ rateLimitSignInAccount: 3 })

  test('the fourth wrong code waits, a right one too, but not for good; the password still leads that far', async () => {
    const user = await createPerson(limited.database)
    const { secret } = await turnOn({ service: limited, as: await sessionOf(limited, user) })
    limited.clock.advance(30_000)
    const browser = new Browser(limited.url)
    const asked = await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': user.email, Password: password })
    for (let guess = 0; guess < 3; guess++) expect((await browser.press(asked, 'Continue', { Code: '000000' })).status).toBe(422)
    const late = await browser.press(asked, 'Continue', { Code: totpCode(secret, limited.clock.now()) })
    expect(alertOf(late)).toEqual([429, 'Too many attempts. Try again in 15 minutes.'])
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(800)
    const other = new Browser(limited.url)
    const again = await other.press(await other.open('/sign-in'), 'Sign in', { 'Email address': user.email, Password: password })
    expect(heading(again)).toEqual([200, 'Second factor'])
    await limited.database.prisma.guessCount.updateMany({ data: { expire: 0n } })
    const right = await other.press(again, 'Continue', { Code: totpCode(secret, limited.clock.now()) })
    expect(heading(right)).toEqual([200, 'Your account'])
  })
})
