import { describe, expect, test } from 'vitest'
import { Authenticator } from '../support/authenticator.ts'
import { Browser } from '../support/browser.ts'
import { password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { totpCode } from '../support/totp.ts'
import { codesOn, optionsOn, sendPasskey, usePasskey } from './passkey-of.ts'
import { alertOf, contentOf, enter, heading, noticeOf, secretOn, sessionCookie, signedIn } from './shown.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const turnOn = 'Ask for a passkey or a code after the password'
const methodsOf = async ({ id }: { id: string }) =>
  (await prisma.session.findMany({ where: { userId: id }, orderBy: { createdAt: 'asc' } })).map(({ methods }) => methods)

async function withPasskey() {
  const { user, browser } = await signedIn(service)
  const authenticator = new Authenticator(service.url)
  const page = await browser.open('/security/passkeys/new')
  return {
    user,
    browser,
    authenticator,
    page: await sendPasskey(browser, page, authenticator.register(optionsOn(page)), { name: 'Laptop' }),
  }
}

/** A person whose second factor is on by a passkey alone. */
async function careful() {
  const { page, ...someone } = await withPasskey()
  const codes = await someone.browser.press(page, turnOn)
  return { ...someone, codes, recoveryCodes: codesOn(codes) }
}

/** As far as the right password leads; in a browser of its own. */
async function halfWay(user: { email: string }) {
  const browser = new Browser(service.url)
  return { browser, page: await enter(browser, user) }
}

describe('a passkey as the second factor', () => {
  test('is turned on with codes that are shown once, in a session with a new identifier', async () => {
    const { browser, page } = await withPasskey()
    expect(page.text).toContain('It is off: whoever learns your password can sign in with it.')
    const before = sessionCookie(browser)
    const codes = await browser.press(page, turnOn)
    expect([heading(codes), new Set(codesOn(codes)).size, codes.headers.get('cache-control')]).toEqual([
      [200, 'Recovery codes'],
      10,
      'no-store',
    ])
    expect(sessionCookie(browser)).not.toBe(before)
    const after = await browser.open('/security')
    expect(contentOf(after)).toContain(
      'It is on : your password alone does not sign in. You have 10 unused recovery codes. ' +
        'After the password you show a passkey, or one of your recovery codes. Set up an authenticator application',
    )
    expect(codesOn(after)).toEqual([])
    expect(alertOf(await browser.press(page, turnOn))).toEqual([422, 'The second factor is on already.'])
  })

  test('is not offered to who has none', async () => {
    const { page } = await signedIn(service)
    expect(page.text).not.toContain(turnOn)
    expect(page.text).toContain('Once you have a passkey, it can be asked for instead.')
  })

  test('is asked for after the password; without JavaScript a recovery code is', async () => {
    const { user, authenticator } = await careful()
    const { browser, page } = await halfWay(user)
    expect([page.url.pathname, ...heading(page)]).toEqual(['/sign-in/second-factor', 200, 'Second factor'])
    expect(page.text).not.toContain('authenticator application')
    expect(page.root.querySelector('noscript')?.text).toContain(
      'Browsers use passkeys only by JavaScript. Turn it on for this page, or use one of your recovery codes.',
    )
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
    expect(heading(await usePasskey(browser, page, authenticator))).toEqual([200, 'Security'])
    expect(await methodsOf(user)).toEqual([['pwd'], ['pwd', 'hwk']])
  })

  test('lets a recovery code in once, and nothing else', async () => {
    const { user, recoveryCodes } = await careful()
    const { authenticator: foreign } = await withPasskey()
    const code = recoveryCodes[0] ?? ''
    const first = await halfWay(user)
    expect(alertOf(await usePasskey(first.browser, first.page, foreign))).toEqual([422, 'The passkey is of another account.'])
    for (const wrong of ['', '000000', 'x'])
      expect(alertOf(await first.browser.press(first.page, 'Continue', { 'Recovery code': wrong }))).toEqual([
        422,
        'The code is not right, or was used already.',
      ])
    expect(heading(await first.browser.press(first.page, 'Continue', { 'Recovery code': code }))).toEqual([200, 'Security'])
    const second = await halfWay(user)
    const again = await second.browser.press(second.page, 'Continue', { 'Recovery code': code })
    expect(alertOf(again)).toEqual([422, 'The code is not right, or was used already.'])
    expect(await methodsOf(user)).toEqual([['pwd'], ['pwd', 'otp']])
  })

  test('is asked for again before what is dangerous', async () => {
    const { browser, authenticator } = await careful()
    clock.advance(16 * 60_000)
    const asked = await browser.press(await browser.open('/security'), 'Yes, turn it off')
    const second = await browser.press(asked, 'Continue', { Password: password })
    expect([heading(asked), heading(second)]).toEqual([
      [200, 'Is it you?'],
      [200, 'Second factor'],
    ])
    expect(heading(await usePasskey(browser, second, authenticator))).toEqual([200, 'Security'])
  })

  test('is not deleted before it is turned off', async () => {
    const { user, browser } = await careful()
    const refused = await browser.press(await browser.open('/security'), 'Yes, delete it')
    expect(alertOf(refused)).toEqual([
      422,
      'This is your last passkey, and your second factor is on by it. Turn the second factor off first.',
    ])
    expect(await prisma.passkey.count({ where: { userId: user.id } })).toBe(1)
    const before = sessionCookie(browser)
    const off = await browser.press(refused, 'Yes, turn it off')
    expect(noticeOf(off)).toEqual([200, 'The second factor is off.'])
    expect(sessionCookie(browser)).not.toBe(before)
    expect(heading((await halfWay(user)).page)).toEqual([200, 'Security'])
    expect(noticeOf(await browser.press(off, 'Yes, delete it'))).toEqual([200, 'The passkey was deleted. Remove it from your device too.'])
  })

  test('has an authenticator application set up beside it, and either is enough', async () => {
    const { user, browser, authenticator } = await careful()
    const setUp = await browser.open('/security/authenticator')
    const secret = secretOn(setUp)
    expect(heading(await browser.press(setUp, 'Turn on', { Code: totpCode(secret, clock.now()) }))).toEqual([200, 'Recovery codes'])
    expect(contentOf(await browser.open('/security'))).toContain(
      'After the password you show a code of your authenticator application, or a passkey, or one of your recovery codes.',
    )
    clock.advance(30_000)
    const first = await halfWay(user)
    const code = totpCode(secret, clock.now())
    expect(heading(await first.browser.press(first.page, 'Continue', { Code: code }))).toEqual([200, 'Security'])
    const second = await halfWay(user)
    expect(heading(await usePasskey(second.browser, second.page, authenticator))).toEqual([200, 'Security'])
  })
})
