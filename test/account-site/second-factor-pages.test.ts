import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { totpCode } from '../support/totp.ts'
import { codesOn } from './passkey-of.ts'
import { alertOf, heading, noticeOf, secretOn, sessionCookie, signedIn } from './shown.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

const inputOn = ({ root }: Page, name: string) => root.querySelector(`main input[name=${name}]`)?.getAttribute('value') ?? ''

describe('the second factor', () => {
  test('is set up, its codes are shown once, and the session has a new identifier', async () => {
    const { user, browser, page } = await signedIn(service)
    expect(page.text).toContain('It is off: whoever learns your password can sign in with it.')
    const before = sessionCookie(browser)
    const setUp = await browser.open('/security/authenticator')
    expect(setUp.root.querySelector('svg.qr-code')?.getAttribute('aria-label')).toBe('QR code of the key below')
    const codes = await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    expect([heading(codes), new Set(codesOn(codes)).size, codes.headers.get('cache-control')]).toEqual([
      [200, 'Recovery codes'],
      10,
      'no-store',
    ])
    expect(sessionCookie(browser)).not.toBe(before)
    const stolen = new Browser(service.url)
    stolen.cookies.set('session /', { name: 'session', value: before ?? '', path: '/' })
    expect(heading(await stolen.open('/security'))).toEqual([200, 'Sign in'])
    const after = await browser.open('/security')
    expect(after.text).toContain('It is on: your password alone does not sign in. You have 10 unused recovery codes.')
    expect(after.text).toContain('After the password you show a code of your authenticator application, or one of your recovery codes.')
    expect(codesOn(after)).toEqual([])
    expect((await browser.open('/security/authenticator')).text).toContain('An authenticator application is set up already.')
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(1)
  })

  test('is proposed again as it was where the code is wrong', async () => {
    const { browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    const back = await browser.press(setUp, 'Turn on', { Code: '000000' })
    expect(alertOf(back)).toEqual([422, 'The code is not right. Enter the one that the application shows now.'])
    const field = back.root.querySelector('input[name=code]')
    expect([field?.getAttribute('aria-invalid'), field?.getAttribute('aria-describedby')]).toEqual([
      'true',
      'field-code-wrong field-code-hint',
    ])
    expect([secretOn(back), inputOn(back, 'sealed')]).toEqual([secretOn(setUp), inputOn(setUp, 'sealed')])
    const codes = await browser.press(back, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    expect(heading(codes)).toEqual([200, 'Recovery codes'])
  })

  test('proposes another key where the one that comes back is not ours', async () => {
    const { browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    const values = new URLSearchParams({ form: 'confirm', csrf: inputOn(setUp, 'csrf'), sealed: 'x', code: '123456' })
    const back = await browser.send(setUp, '/security/authenticator', values)
    expect(alertOf(back)).toEqual([422, 'This secret was proposed too long ago. Set up the new one.'])
    expect(secretOn(back)).toMatch(/^[A-Z2-7]{32}$/)
  })

  test('gives new codes, and is turned off', async () => {
    const { user, browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    const codes = await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const fresh = await browser.press(await browser.open('/security'), 'Get new recovery codes')
    expect([heading(fresh), codesOn(fresh).length]).toEqual([[200, 'Recovery codes'], 10])
    expect(codesOn(fresh).filter((code) => codesOn(codes).includes(code))).toEqual([])
    const before = sessionCookie(browser)
    const open = await browser.open('/security')
    expect(noticeOf(await browser.press(open, 'Yes, turn it off'))).toEqual([200, 'The second factor is off.'])
    expect(sessionCookie(browser)).not.toBe(before)
    expect(await prisma.recoveryCode.count({ where: { userId: user.id } })).toBe(0)
  })

  test('of a page that was left open is not turned off twice', async () => {
    const { browser } = await signedIn(service)
    const setUp = await browser.open('/security/authenticator')
    await browser.press(setUp, 'Turn on', { Code: totpCode(secretOn(setUp), clock.now()) })
    const open = await browser.open('/security')
    await browser.press(open, 'Yes, turn it off')
    expect(alertOf(await browser.press(open, 'Yes, turn it off'))).toEqual([422, 'The second factor is off.'])
  })

  test.each(['/security/authenticator', '/security/passkeys/new'])('at %s the password is asked for again after a while', async (path) => {
    const { browser } = await signedIn(service)
    clock.advance(16 * 60_000)
    const asked = await browser.open(path)
    expect(heading(asked)).toEqual([200, 'Is it you?'])
    expect((await browser.press(asked, 'Continue', { Password: password })).url.pathname).toBe(path)
  })
})
