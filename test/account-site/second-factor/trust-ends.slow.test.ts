import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { enter, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { codeAsked, createUserWithTotp, signedInHeading, signedOut, trustedBrowser } from '../../support/account-site/trusted-browser.ts'
import type { UserWithTotp } from '../../support/account-site/trusted-browser.ts'
import { addPasskey, enableTotp } from '../../support/data/second-factor.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// When the second factor is asked for again: docs/decisions/accounts.md#trusted-devices.

const service = useService()
const { database } = service
const { prisma } = database

const trusts = ({ id }: { id: string }) => prisma.trustedDevice.count({ where: { userId: id } })
const devicesOn = ({ root }: Page) =>
  root.querySelectorAll('#trusted-devices li').map((row) => [row.querySelector('strong')?.text, row.querySelector('.badge')?.text])

describe('a browser that was trusted must enter the second factor again', () => {
  const endings: [name: string, end: (account: UserWithTotp) => Promise<unknown>][] = [
    [
      'a change of the password',
      async ({ principal }) =>
        executeAs(
          service,
          await principal(),
          'mutation { changePassword(input: { newPassword: "correct horse battery" }) { user { id: userId } } }',
        ),
    ],
    [
      'new recovery codes',
      async ({ principal }) => executeAs(service, await principal(), 'mutation { regenerateRecoveryCodes { recoveryCodes } }'),
    ],
    ['a new passkey', async ({ principal }) => addPasskey({ service, principal: await principal() })],
    [
      'signing out all other browsers',
      async ({ principal }) => executeAs(service, await principal(), 'mutation { revokeOtherSessions { sessions { id: sessionId } } }'),
    ],
    [
      'turning it off and on again',
      async ({ user, principal }) => {
        await executeAs(
          service,
          operator,
          'mutation ($email: String!) { resetSecondFactor(input: { email: $email }) { user { id: userId } } }',
          {
            email: user.email,
          },
        )
        await enableTotp({ service, principal: await principal() })
      },
    ],
    [
      'disabling and enabling the account',
      async ({ user: { email } }) => {
        for (const name of ['disableUser', 'enableUser'])
          await executeAs(service, operator, `mutation ($email: String!) { ${name}(input: { email: $email }) { user { id: userId } } }`, {
            email,
          })
      },
    ],
    [
      'another password that was written in another way, such as an import',
      async ({ user }) => {
        const { passwordHash } = await createPerson(database)
        await prisma.$executeRaw`UPDATE users SET password_hash = ${passwordHash} || 'x' WHERE id = ${user.id}::uuid`
        await prisma.$executeRaw`UPDATE users SET password_hash = ${passwordHash} WHERE id = ${user.id}::uuid`
      },
    ],
  ]
  test.each(endings)('after %s', async (_, end) => {
    const account = await createUserWithTotp(service)
    const browser = await trustedBrowser(service, account)
    expect(await trusts(account.user)).toBe(1)
    await end(account)
    expect(await trusts(account.user)).toBe(0)
    // Most endings keep the password.
    await prisma.user.update({ where: { id: account.user.id }, data: { passwordHash: (await createPerson(database)).passwordHash } })
    expect(heading(await enter(browser, account.user))).toEqual(codeAsked)
  })

  test('with the cookie of another account, without one, and with a changed one', async () => {
    const [account, other] = [await createUserWithTotp(service), await createUserWithTotp(service)]
    const [browser, foreign] = [await trustedBrowser(service, account), await trustedBrowser(service, other)]
    const value = browser.cookies.get('device /')?.value ?? ''
    for (const changed of [foreign.cookies.get('device /')?.value ?? '', `${value.slice(0, -2)}AA`, value.slice(0, 60), '', '%']) {
      const forged = new Browser(service.url)
      forged.cookies.set('device /', { name: 'device', value: changed, path: '/' })
      expect(heading(await enter(forged, account.user))).toEqual(codeAsked)
    }
    expect(heading(await enter(new Browser(service.url), account.user))).toEqual(codeAsked)
    expect(heading(await enter(browser, account.user))).toEqual(signedInHeading)
  })

  test('if another account trusts the value of its cookie', async () => {
    const [account, other] = [await createUserWithTotp(service), await createUserWithTotp(service)]
    const browser = await trustedBrowser(service, account)
    await prisma.trustedDevice.updateMany({ where: { userId: account.user.id }, data: { userId: other.user.id } })
    expect(heading(await enter(browser, account.user))).toEqual(codeAsked)
  })
})

describe('the page of trusted devices', () => {
  test('lists trusted devices and revokes one, whose next sign-in needs the second factor', async () => {
    const account = await createUserWithTotp(service)
    const [first, second] = [await trustedBrowser(service, account), await trustedBrowser(service, account)]
    const page = await enter(first, account.user, '/security/devices')
    expect(devicesOn(page)).toEqual([
      ['Unknown device', 'This browser'],
      ['Unknown device', undefined],
    ])
    const after = await first.press(page, 'Remove Unknown device')
    expect([noticeOf(after), devicesOn(after)]).toEqual([
      [200, 'The device “Unknown device” is no longer trusted.'],
      [['Unknown device', undefined]],
    ])
    expect(heading(await enter(signedOut(first), account.user))).toEqual(codeAsked)
    expect(heading(await enter(second, account.user))).toEqual(signedInHeading)
  })

  test('does not let a user revoke the device of another user', async () => {
    const [account, other] = [await createUserWithTotp(service), await createUserWithTotp(service)]
    await trustedBrowser(service, other)
    const { id } = await prisma.trustedDevice.findFirstOrThrow({ where: { userId: other.user.id } })
    const document = 'mutation ($id: ID!) { revokeTrustedDevice(input: { id: $id }) { trustedDevice { id: trustedDeviceId } } }'
    for (const each of [id, 'x', '\0', ''])
      expect((await executeAs(service, await account.principal(), document, { id: each })).refusal?.code).toBe('not_found')
    expect(await trusts(other.user)).toBe(1)
  })

  test('keeps the trust of its own browser when it signs out all others', async () => {
    const account = await createUserWithTotp(service)
    const [first, second] = [await trustedBrowser(service, account), await trustedBrowser(service, account)]
    const code = await first.press(
      await first.press(await first.open('/confirm'), 'Sign in', { 'Email address': account.user.email, Password: password }),
      'Continue',
      { Password: password },
    )
    const page = await first.press(code, 'Continue', { Code: account.nextCode() })
    expect(page.status).toBe(200)
    expect(noticeOf(await first.press(await first.open('/security/sessions'), 'Sign out all other browsers'))).toEqual([
      200,
      'All other browsers were signed out.',
    ])
    expect(heading(await enter(signedOut(first), account.user))).toEqual(signedInHeading)
    expect(heading(await enter(second, account.user))).toEqual(codeAsked)
  })
})
