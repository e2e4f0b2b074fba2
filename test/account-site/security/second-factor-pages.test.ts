import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { totpCode } from '../../support/data/totp.ts'
import { codesOn } from '../../support/account-site/passkey.ts'
import { alertOf, contentOf, enter, heading, noticeOf, secretOn, sessionCookie, signedIn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const inputValueOn = ({ root }: Page, name: string) => root.querySelector(`main input[name=${name}]`)?.getAttribute('value') ?? ''

describe('the second factor', () => {
  test('is set up, shows its recovery codes once, and replaces the session cookie value', async () => {
    const { user, browser } = await signedIn(service)
    expect((await browser.open('/security/two-factor')).text).toContain('Two-factor authentication is off.')
    const before = sessionCookie(browser)
    const attacker = browser.copy()
    const setUp = await browser.open('/security/authenticator')
    expect(setUp.root.querySelector('svg.qr-code')?.getAttribute('aria-label')).toBe('QR code of the key below')
    const codes = await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    expect([heading(codes), noticeOf(codes), new Set(codesOn(codes)).size, codes.headers.get('cache-control')]).toEqual([
      [200, 'Save your recovery codes'],
      [200, 'Two-factor authentication is on.'],
      10,
      'no-store',
    ])
    expect(sessionCookie(browser)).not.toBe(before)
    expect(heading(await attacker.open('/security'))).toEqual([200, 'Sign in'])
    const after = await browser.open('/security/two-factor')
    expect(contentOf(after)).toContain(
      'Two-factor authentication is on . After your password, you enter a code from your authenticator app or a recovery code. ' +
        'Authenticator app Set up Move to another phone Passkeys 0 passkeys Manage passkeys Recovery codes 10 left',
    )
    expect(codesOn(after)).toEqual([])
    expect(heading(await browser.open('/security/authenticator'))).toEqual([200, 'Move the authenticator app'])
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(1)
  })

  test('moves to another phone without being turned off: the previous app works until a code of the new one is entered', async () => {
    const { user, browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const codesBefore = await prisma.recoveryCode.findMany({ where: { userId: user.id }, orderBy: { hash: 'asc' } })
    const before = sessionCookie(browser)
    const page = await browser.open('/security/two-factor')
    const move = await browser.open(page.root.querySelector('main a[href="/security/authenticator"]')?.getAttribute('href') ?? '')
    const secretBefore = (await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).totpSecret
    const wrong = await browser.press(move, 'Use the new app', { Code: '000000' })
    expect([alertOf(wrong), secretOn(wrong)]).toEqual([
      [422, 'The code is incorrect. Enter the code that the app shows now.'],
      secretOn(move),
    ])
    clock.advance(30_000)
    // A code of the present app does not confirm the new one, and is not used up.
    const present = totpCode(secretOn(setUp), clock.now())
    expect((await browser.press(move, 'Use the new app', { Code: present })).status).toBe(422)
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).totpSecret).toEqual(secretBefore)
    const done = await browser.press(move, 'Use the new app', { Code: totpCode(secretOn(move), clock.now()) })
    expect([done.url.pathname, ...noticeOf(done)]).toEqual([
      '/security/two-factor',
      200,
      'The authenticator app was moved. The previous one no longer works, and your recovery codes stay the same.',
    ])
    expect(contentOf(done)).toContain('Recovery codes 10 left')
    expect(await prisma.recoveryCode.findMany({ where: { userId: user.id }, orderBy: { hash: 'asc' } })).toEqual(codesBefore)
    expect(sessionCookie(browser)).not.toBe(before)
    clock.advance(30_000)
    const other = new Browser(service.url)
    const asked = await enter(other, user)
    expect((await other.press(asked, 'Continue', { Code: totpCode(secretOn(setUp), clock.now()) })).status).toBe(422)
    const inside = await other.press(asked, 'Continue', { Code: totpCode(secretOn(move), clock.now()) })
    expect(inside.url.pathname).toBe('/security')
  })

  test('keeps the proposed key when the code is wrong', async () => {
    const { browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    const response = await browser.press(setUp, 'Turn on', { Code: '000000' })
    expect(alertOf(response)).toEqual([422, 'The code is incorrect. Enter the code that the app shows now.'])
    const field = response.root.querySelector('input[name=code]')
    expect([field?.getAttribute('aria-invalid'), field?.getAttribute('aria-describedby')]).toEqual([
      'true',
      'field-code-wrong field-code-hint',
    ])
    expect([secretOn(response), inputValueOn(response, 'encrypted')]).toEqual([secretOn(setUp), inputValueOn(setUp, 'encrypted')])
    const codes = await browser.press(response, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    expect(heading(codes)).toEqual([200, 'Save your recovery codes'])
  })

  test('proposes a new key when the form sends a key that the service did not encrypt', async () => {
    const { browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    const values = new URLSearchParams({ form: 'confirm', csrf: inputValueOn(setUp, 'csrf'), encrypted: 'x', code: '123456' })
    const response = await browser.send(setUp, '/security/authenticator', values)
    expect(alertOf(response)).toEqual([422, 'This setup code has expired. Use the new one.'])
    expect(secretOn(response)).toMatch(/^[A-Z2-7]{32}$/)
  })

  test('replaces the recovery codes on request and can be turned off', async () => {
    const { user, browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    const codes = await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const security = await browser.open('/security/two-factor')
    const newCodes = await browser.press(security, 'Create new recovery codes')
    expect([heading(newCodes), codesOn(newCodes).length]).toEqual([[200, 'Save your recovery codes'], 10])
    expect(codesOn(newCodes).filter((code) => codesOn(codes).includes(code))).toEqual([])
    const before = sessionCookie(browser)
    const stalePage = await browser.open('/security/two-factor')
    expect(noticeOf(await browser.press(stalePage, 'Turn off two-factor authentication'))).toEqual([
      200,
      'Two-factor authentication was turned off.',
    ])
    expect(sessionCookie(browser)).not.toBe(before)
    expect(await prisma.recoveryCode.count({ where: { userId: user.id } })).toBe(0)
  })

  test('cannot be turned off a second time from a stale page', async () => {
    const { browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const stalePage = await browser.openConfirmation(await browser.open('/security/two-factor'), 'Turn off two-factor authentication')
    await browser.press(stalePage, 'Turn off two-factor authentication')
    expect(alertOf(await browser.press(stalePage, 'Turn off two-factor authentication'))).toEqual([
      422,
      'Two-factor authentication is off.',
    ])
  })

  test.each(['/security/authenticator', '/security/passkeys/new'])(
    'requires the password again on %s more than 15 minutes after the sign-in',
    async (path) => {
      const { browser } = await signedIn(service)
      clock.advance(16 * 60_000)
      const confirmPage = await browser.open(path)
      expect(heading(confirmPage)).toEqual([200, 'Confirm it’s you'])
      expect((await browser.press(confirmPage, 'Continue', { Password: password })).url.pathname).toBe(path)
    },
  )
})
