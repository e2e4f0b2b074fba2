import { describe, expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import { password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { totpCode } from '../../support/data/totp.ts'
import { codesOn } from '../../support/account-site/passkey.ts'
import { alertOf, heading, noticeOf, secretOn, sessionCookie, signedIn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

const inputValueOn = ({ root }: Page, name: string) => root.querySelector(`main input[name=${name}]`)?.getAttribute('value') ?? ''

describe('the second factor', () => {
  test('is set up, shows its recovery codes once, and replaces the session cookie value', async () => {
    const { user, browser, page } = await signedIn(service)
    expect(page.text).toContain('Two-factor authentication is off.')
    const before = sessionCookie(browser)
    const attacker = browser.copy()
    const setUp = await browser.open('/security/authenticator')
    expect(setUp.root.querySelector('svg.qr-code')?.getAttribute('aria-label')).toBe('QR code of the key below')
    const codes = await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    expect([heading(codes), new Set(codesOn(codes)).size, codes.headers.get('cache-control')]).toEqual([
      [200, 'Save your recovery codes'],
      10,
      'no-store',
    ])
    expect(sessionCookie(browser)).not.toBe(before)
    expect(heading(await attacker.open('/security'))).toEqual([200, 'Sign in'])
    const after = await browser.open('/security')
    expect(after.text).toContain('Two-factor authentication is on. You have 10 unused recovery codes.')
    expect(after.text).toContain('After your password, you enter a code from your authenticator app or a recovery code.')
    expect(codesOn(after)).toEqual([])
    expect((await browser.open('/security/authenticator')).text).toContain('You already have an authenticator app.')
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(1)
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
    const security = await browser.open('/security')
    const newCodes = await browser.press(security, 'Create new recovery codes')
    expect([heading(newCodes), codesOn(newCodes).length]).toEqual([[200, 'Save your recovery codes'], 10])
    expect(codesOn(newCodes).filter((code) => codesOn(codes).includes(code))).toEqual([])
    const before = sessionCookie(browser)
    const stalePage = await browser.open('/security')
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
    const stalePage = await browser.openConfirmation(await browser.open('/security'), 'Turn off two-factor authentication')
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
