import { describe, expect, test } from 'vitest'
import { hashPassword } from '../../../schema/accounts/passwords/password-hash.ts'
import { enter } from '../../support/account-site/page-content.ts'
import { createPasskeyOwner } from '../../support/account-site/passkey-owner.ts'
import { optionsOn, sendPasskey } from '../../support/account-site/passkey.ts'
import {
  browserAtNewAddress,
  enterPassword,
  readFailureRows,
  readFailures,
  requestCode,
} from '../../support/account-site/failed-sign-ins.ts'
import { createUserWithTotp } from '../../support/account-site/trusted-browser.ts'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { createUser, unique } from '../../support/data/team.ts'
import { lastCode } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

// What the service stores about failed sign-ins: docs/decisions/failed-sign-ins.md.

const service = useService({ secretKey, rateLimitSignInAccount: 3, rateLimitSignInAddress: 12, trustProxy: true })
const { database, clock, url } = service
const { prisma } = database

describe('a failed sign-in is recorded with its reason', () => {
  test('for a wrong password, also of a user who confirms who they are, and remains after a sign-in', async () => {
    const user = await createPerson(database)
    const before = clock.now()
    await enterPassword(service, user.email.toUpperCase(), 'wrong')
    await readFailures(service, user, 1)
    const browser = browserAtNewAddress(service)
    await enter(browser, user)
    clock.advance(16 * 60_000)
    await browser.press(await browser.open('/security/passkeys/new'), 'Continue', { Password: 'wrong' })
    expect(await readFailures(service, user, 2)).toEqual([['password', 'wrong_password', 2]])
    const [row] = await readFailureRows(service, user)
    const minutes = [row?.firstAt, row?.lastAt].map((at) => Math.floor(((at?.getTime() ?? 0) - before.getTime()) / 60_000))
    expect(minutes).toEqual([0, 16])
  })

  test('for an account without a password, and for one that is disabled, even with the right password', async () => {
    const withoutPassword = await createUser(database)
    const disabled = await createPerson(database, { disabledAt: clock.now() })
    await enterPassword(service, withoutPassword.email, password)
    await enterPassword(service, disabled.email, password)
    expect(await readFailures(service, withoutPassword, 1)).toEqual([['password', 'no_password', 1]])
    expect(await readFailures(service, disabled, 1)).toEqual([['password', 'account_disabled', 1]])
  })

  test('for the limit of the account and that of the network', async () => {
    const user = await createPerson(database)
    for (let attempt = 0; attempt < 5; attempt++) await enterPassword(service, user.email, 'wrong')
    expect(await readFailures(service, user, 5)).toEqual([
      ['password', 'account_limited', 2],
      ['password', 'wrong_password', 3],
    ])
    const other = await createPerson(database)
    const shared = browserAtNewAddress(service)
    for (let attempt = 0; attempt < 12; attempt++) await enterPassword(service, `${unique('nobody')}@example.test`, 'wrong', shared)
    await enterPassword(service, other.email, password, shared)
    expect(await readFailures(service, other, 1)).toEqual([['password', 'network_limited', 1]])
  })

  test('for a wrong code of the authenticator app, a wrong recovery code and a wrong passkey after the password', async () => {
    const { user, nextCode } = await createUserWithTotp(service)
    const authenticator = new Authenticator(url)
    await createPasskeyOwner(service, user, authenticator)
    const browser = browserAtNewAddress(service)
    let page = await enter(browser, user)
    page = await browser.press(page, 'Continue', { Code: String((Number(nextCode()) + 1) % 1_000_000).padStart(6, '0') })
    page = await browser.press(page, 'Continue', { Code: '0000-0000-0000' })
    await sendPasskey(browser, page, authenticator.assert(optionsOn(await browserAtNewAddress(service).open('/sign-in'))))
    await browser.press(page, 'Continue', { Code: nextCode() })
    expect(await readFailures(service, user, 4)).toEqual([
      ['second_factor', 'account_limited', 1],
      ['second_factor', 'passkey_refused', 1],
      ['second_factor', 'wrong_app_code', 1],
      ['second_factor', 'wrong_recovery_code', 1],
    ])
  })

  test('for a passkey that is not accepted', async () => {
    const user = await createPerson(database)
    const authenticator = new Authenticator(url)
    await createPasskeyOwner(service, user, authenticator)
    const [browser, other] = [browserAtNewAddress(service), browserAtNewAddress(service)]
    const page = await browser.open('/sign-in')
    await sendPasskey(
      browser,
      page,
      authenticator.assert(optionsOn(await other.open('/sign-in')).replace(/"challenge":"./, '"challenge":"_')),
    )
    expect(await readFailures(service, user, 1)).toEqual([['passkey', 'passkey_refused', 1]])
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: clock.now() } })
    await sendPasskey(browser, page, authenticator.assert(optionsOn(page)))
    expect(await readFailures(service, user, 2)).toEqual([
      ['passkey', 'account_disabled', 1],
      ['passkey', 'passkey_refused', 1],
    ])
  })

  test('for emailed codes that are wrong, were tried too often, or were not sent', async () => {
    const user = await createPerson(database)
    const { browser, page } = await requestCode(service, user.email)
    const code = String((Number(await lastCode(service, user.id)) + 1) % 1_000_000).padStart(6, '0')
    for (let attempt = 0; attempt < 6; attempt++) await browser.press(page, 'Sign in', { Code: code })
    expect(await readFailures(service, user, 6)).toEqual([
      ['email_code', 'account_limited', 2],
      ['email_code', 'code_limited', 1],
      ['email_code', 'wrong_emailed_code', 3],
    ])
    const busy = await createPerson(database)
    for (let request = 0; request < 7; request++) await requestCode(service, busy.email)
    expect(await readFailures(service, busy, 1)).toEqual([['email_code', 'code_not_sent', expect.any(Number)]])
    const unverified = await createPerson(database, { emailVerified: false })
    await requestCode(service, unverified.email)
    expect(await readFailures(service, unverified, 1)).toEqual([['email_code', 'address_unverified', 1]])
  })

  test('for a password that was changed before the second factor was entered', async () => {
    const { user, nextCode } = await createUserWithTotp(service)
    const browser = browserAtNewAddress(service)
    const page = await enter(browser, user)
    await prisma.user.update({ where: { id: user.id }, data: { passwordHash: await hashPassword('a long and new password') } })
    await browser.press(page, 'Continue', { Code: nextCode() })
    expect(await readFailures(service, user, 1)).toEqual([['second_factor', 'password_changed', 1]])
  })
})
