import { describe, expect, test } from 'vitest'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { Browser } from '../../support/browser/browser.ts'
import { password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { totpCode } from '../../support/data/totp.ts'
import { codesOn, optionsOn, sendPasskey, usePasskey } from '../../support/account-site/passkey.ts'
import { alertOf, contentOf, enter, heading, noticeOf, secretOn, sessionCookie, signedIn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const turnOnButton = 'Use my passkeys as the second step'
const listSessionMethods = async ({ id }: { id: string }) =>
  (await prisma.session.findMany({ where: { userId: id }, orderBy: { createdAt: 'asc' } })).map(({ methods }) => methods)

async function signInAndRegisterPasskey() {
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

/** Signs in a new user and turns the second factor on with a passkey, without an authenticator app. */
async function turnOnSecondFactor() {
  const registered = await signInAndRegisterPasskey()
  const codes = await registered.browser.press(await registered.browser.open('/security/two-factor'), turnOnButton)
  return { ...registered, codes, recoveryCodes: codesOn(codes) }
}

/** Enters the right password in a new browser. Returns the next page and its browser. */
async function enterPassword(user: { email: string }) {
  const browser = new Browser(service.url)
  return { browser, page: await enter(browser, user) }
}

describe('a passkey as the second factor', () => {
  test('is turned on with recovery codes that are shown once, and the session receives a new identifier', async () => {
    const { browser } = await signInAndRegisterPasskey()
    const page = await browser.open('/security/two-factor')
    expect(page.text).toContain('Two-factor authentication is off.')
    const question = await browser.openConfirmation(page, turnOnButton)
    const before = sessionCookie(browser)
    const codes = await browser.press(question, turnOnButton)
    expect([heading(codes), new Set(codesOn(codes)).size, codes.headers.get('cache-control')]).toEqual([
      [200, 'Save your recovery codes'],
      10,
      'no-store',
    ])
    expect(sessionCookie(browser)).not.toBe(before)
    const after = await browser.open('/security/two-factor')
    expect(contentOf(after)).toContain(
      'Two-factor authentication is on . After your password, you enter your passkey or a recovery code. ' +
        'Authenticator app Not set up Set up an authenticator app Passkeys 1 passkey Manage passkeys Recovery codes 10 left',
    )
    expect(codesOn(after)).toEqual([])
    expect(alertOf(await browser.press(question, turnOnButton))).toEqual([422, 'Two-factor authentication is already on.'])
  })

  test('is not offered to a user without a passkey', async () => {
    const { browser } = await signedIn(service)
    const page = await browser.open('/security/two-factor')
    expect(page.text).not.toContain(turnOnButton)
    expect(page.text).toContain('or a passkey once you have added one.')
  })

  test('is requested after the password, and the page suggests a recovery code to browsers without JavaScript', async () => {
    const { user, authenticator } = await turnOnSecondFactor()
    const { browser, page } = await enterPassword(user)
    expect([page.url.pathname, ...heading(page)]).toEqual(['/sign-in/second-factor', 200, 'Two-factor authentication'])
    expect(page.text).not.toContain('authenticator application')
    expect(page.root.querySelector('noscript')?.text).toContain('Passkeys need JavaScript. Turn it on, or use a recovery code.')
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
    expect(heading(await usePasskey(browser, page, authenticator))).toEqual([200, 'Sign-in and security'])
    expect(await listSessionMethods(user)).toEqual([['pwd'], ['pwd', 'hwk']])
  })

  test('can be replaced by a recovery code once, but not by a wrong code or the passkey of another user', async () => {
    const { user, recoveryCodes } = await turnOnSecondFactor()
    const { authenticator: otherAuthenticator } = await signInAndRegisterPasskey()
    const code = recoveryCodes[0] ?? ''
    const first = await enterPassword(user)
    expect(alertOf(await usePasskey(first.browser, first.page, otherAuthenticator))).toEqual([
      422,
      'This passkey belongs to another account.',
    ])
    for (const wrong of ['', '000000', 'x'])
      expect(alertOf(await first.browser.press(first.page, 'Continue', { 'Recovery code': wrong }))).toEqual([
        422,
        'The code is incorrect or was already used.',
      ])
    expect(heading(await first.browser.press(first.page, 'Continue', { 'Recovery code': code }))).toEqual([200, 'Sign-in and security'])
    const second = await enterPassword(user)
    const repeated = await second.browser.press(second.page, 'Continue', { 'Recovery code': code })
    expect(alertOf(repeated)).toEqual([422, 'The code is incorrect or was already used.'])
    expect(await listSessionMethods(user)).toEqual([['pwd'], ['pwd', 'otp']])
  })

  test('is requested again before a sensitive operation', async () => {
    const { browser, authenticator } = await turnOnSecondFactor()
    clock.advance(16 * 60_000)
    const confirmation = await browser.press(await browser.open('/security/two-factor'), 'Turn off two-factor authentication')
    const second = await browser.press(confirmation, 'Continue', { Password: password })
    expect([heading(confirmation), heading(second)]).toEqual([
      [200, 'Confirm it’s you'],
      [200, 'Two-factor authentication'],
    ])
    expect(heading(await usePasskey(browser, second, authenticator))).toEqual([200, 'Turn off two-factor authentication?'])
  })

  test('cannot be deleted before the second factor is turned off', async () => {
    const { user, browser } = await turnOnSecondFactor()
    const refused = await browser.press(await browser.open('/security/passkeys'), 'Delete passkey')
    expect(alertOf(refused)).toEqual([
      422,
      'This is your last passkey, and two-factor authentication needs it. Turn off two-factor authentication first.',
    ])
    expect(await prisma.passkey.count({ where: { userId: user.id } })).toBe(1)
    const before = sessionCookie(browser)
    const off = await browser.press(await browser.open('/security/two-factor'), 'Turn off two-factor authentication')
    expect(noticeOf(off)).toEqual([200, 'Two-factor authentication was turned off.'])
    expect(sessionCookie(browser)).not.toBe(before)
    expect(heading((await enterPassword(user)).page)).toEqual([200, 'Sign-in and security'])
    expect(noticeOf(await browser.press(await browser.open('/security/passkeys'), 'Delete passkey'))).toEqual([
      200,
      'The passkey “Laptop” was deleted. Also remove it from your device.',
    ])
  })

  test('can be combined with an authenticator app, and either one is sufficient', async () => {
    const { user, browser, authenticator } = await turnOnSecondFactor()
    const setUp = await browser.open('/security/authenticator')
    const secret = secretOn(setUp)
    expect(noticeOf(await browser.press(setUp, 'Turn on', { Code: totpCode(secret, clock.now()) }))).toEqual([
      200,
      'The authenticator app was added. Your recovery codes stay the same.',
    ])
    expect(contentOf(await browser.open('/security/two-factor'))).toContain(
      'After your password, you enter a code from your authenticator app or your passkey or a recovery code.',
    )
    clock.advance(30_000)
    const first = await enterPassword(user)
    const code = totpCode(secret, clock.now())
    expect(heading(await first.browser.press(first.page, 'Continue', { Code: code }))).toEqual([200, 'Sign-in and security'])
    const second = await enterPassword(user)
    expect(heading(await usePasskey(second.browser, second.page, authenticator))).toEqual([200, 'Sign-in and security'])
  })
})
