import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { brand } from '../../support/mail/brand.ts'
import { createCompose } from '../../../src/mail/mails.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { Authenticator } from '../../support/browser/authenticator.ts'
import { Browser } from '../../support/browser/browser.ts'
import { alertOf, enter, heading, noticeOf, signedIn } from '../../support/account-site/page-content.ts'
import { optionsOn, sendPasskey } from '../../support/account-site/passkey.ts'
import { codeAsked, createUserWithTotp, signedInHeading, signedOut, trustedBrowser } from '../../support/account-site/trusted-browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { authorizationUrl, createClient, exchangeCode, password } from '../../support/oauth/oauth.ts'
import { travel } from '../../support/service/clock.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

// Trusted devices: docs/decisions/accounts.md#trusted-devices.

const service = useService()
const { database, clock } = service
const { prisma } = database

const days = 86_400_000

const trusts = ({ id }: { id: string }) => prisma.trustedDevice.count({ where: { userId: id } })
describe('the second step of a sign-in', () => {
  test('is required again in the same browser by default, since the box to trust it is not ticked', async () => {
    const { user, nextCode } = await createUserWithTotp(service)
    const browser = new Browser(service.url)
    const page = await enter(browser, user)
    expect(page.root.querySelector('input[name=trustDevice]')?.hasAttribute('checked')).toBe(false)
    expect(heading(await browser.press(page, 'Continue', { Code: nextCode() }))).toEqual(signedInHeading)
    expect([await trusts(user), heading(await enter(signedOut(browser), user))]).toEqual([0, codeAsked])
  })

  test('is skipped in a trusted browser for 30 days; the password is always required', async () => {
    const account = await createUserWithTotp(service)
    const browser = await trustedBrowser(service, account)
    expect(heading(await enter(browser.copy(), account.user))).toEqual(signedInHeading)
    const wrong = await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': account.user.email, Password: 'wrong' })
    expect(alertOf(wrong)).toEqual([422, 'The email address or password is incorrect.'])
    travel(30 * days - 3_600_000)
    expect(heading(await enter(browser.copy(), account.user))).toEqual(signedInHeading)
    travel(3_600_000)
    expect(heading(await enter(browser.copy(), account.user))).toEqual(codeAsked)
  })

  test('keeps the box ticked after a wrong code, and does not trust the browser yet', async () => {
    const { user } = await createUserWithTotp(service)
    const browser = new Browser(service.url)
    const refused = await browser.press(await enter(browser, user), 'Continue', { Code: '000000', trustDevice: 'true' })
    expect(refused.status).toBe(422)
    expect([refused.root.querySelector('input[name=trustDevice]')?.hasAttribute('checked'), await trusts(user)]).toEqual([true, 0])
  })

  test('can be a passkey that trusts the browser', async () => {
    const { user, browser: own } = await signedIn(service)
    const authenticator = new Authenticator(service.url)
    const form = await own.open('/security/passkeys/new')
    await sendPasskey(own, form, authenticator.register(optionsOn(form)), { name: 'Laptop' })
    await own.press(await own.open('/security/two-factor'), 'Use my passkeys as the second step')
    const browser = new Browser(service.url)
    const page = await enter(browser, user)
    expect(page.root.querySelectorAll('input[name=trustDevice]').length).toBe(1)
    expect(heading(await sendPasskey(browser, page, authenticator.assert(optionsOn(page)), { trustDevice: 'true' }))).toEqual(
      signedInHeading,
    )
    expect(heading(await enter(signedOut(browser), user))).toEqual(signedInHeading)
  })

  test('is skipped for each account that trusts the browser', async () => {
    const [one, other] = [await createUserWithTotp(service), await createUserWithTotp(service)]
    const browser = await trustedBrowser(service, one)
    const page = await enter(browser, other.user)
    await browser.press(page, 'Continue', { Code: other.nextCode(), trustDevice: 'true' })
    for (const { user } of [one, other]) expect(heading(await enter(signedOut(browser), user))).toEqual(signedInHeading)
  })
})

describe('a sign-in in a trusted browser', () => {
  test('does not count as recent: a dangerous action needs the password and the second factor', async () => {
    const account = await createUserWithTotp(service)
    const browser = await trustedBrowser(service, account)
    const page = await enter(browser, account.user, '/security/two-factor')
    const asked = await browser.press(page, 'Turn off two-factor authentication')
    expect(heading(asked)).toEqual([200, 'Confirm it’s you'])
    const second = await browser.press(asked, 'Continue', { Password: password })
    expect([...heading(second), second.root.querySelector('input[name=trustDevice]')]).toEqual([...codeAsked, null])
    const back = await browser.press(second, 'Continue', { Code: account.nextCode() })
    expect(noticeOf(await browser.press(back, 'Turn off two-factor authentication'))).toEqual([
      200,
      'Two-factor authentication was turned off.',
    ])
  })

  test('requires the second factor if the user is already signed in', async () => {
    const account = await createUserWithTotp(service)
    const browser = await trustedBrowser(service, account)
    expect(heading(await enter(browser, account.user))).toEqual(signedInHeading)
    expect(heading(await enter(browser, account.user))).toEqual(codeAsked)
  })

  test('satisfies prompt=login without a session, with the amr pwd in the ID token', async () => {
    const account = await createUserWithTotp(service)
    const browser = await trustedBrowser(service, account)
    const client = await createClient(database)
    const { url, verifier } = authorizationUrl(service, client, { prompt: 'login' })
    const consent = await browser.press(await browser.open(url), 'Sign in', { 'Email address': account.user.email, Password: password })
    const { url: callback } = await browser.press(consent, 'Allow access')
    const { body } = await exchangeCode(service, client, { code: callback.searchParams.get('code') ?? '', verifier })
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: account.user.id, amr: ['pwd'] })
  })

  test('has access to a team that requires two-factor authentication', async () => {
    const account = await createUserWithTotp(service)
    const team = await createTeam(database, { twoFactorRequiredAt: new Date(0) })
    await join(database, team, account.user, 'member')
    const page = await enter(await trustedBrowser(service, account), account.user, `/teams/${team.slug}`)
    expect(page.status).toBe(200)
    expect(page.url.pathname).toBe(`/teams/${team.slug}`)
  })
})

test('trusting a browser stores a hash, is audited, notifies the user, and replaces the earlier trust of the browser', async () => {
  const account = await createUserWithTotp(service)
  const before = service.mails.length
  const browser = await trustedBrowser(service, account)
  const { hash, expiresAt } = await prisma.trustedDevice.findFirstOrThrow({ where: { userId: account.user.id } })
  expect([hash.length, browser.cookies.get('device /')?.value]).toEqual([32, expect.not.stringContaining(account.user.id)])
  const mails = service.mails.slice(before)
  expect(mails.map(({ kind }) => kind)).toEqual(['new-device', 'device-trusted'])
  const compose = createCompose({ database, now: clock.now, deriveSecret: secretDeriver(secretKey), authUrl: service.url, brand })
  expect(mails[1] && (await compose(mails[1]))).toMatchObject({
    message: {
      to: account.user.email,
      subject: 'A trusted device was added: Unknown device',
      text: expect.stringContaining(`signing in to your account ${account.user.email} from this browser requires only the password`),
    },
  })
  expect(await prisma.auditEntry.findMany({ where: { subject: account.user.id, action: 'completeSignIn' } })).toEqual([
    expect.objectContaining({ after: { trustedDevice: 'Unknown device', expiresAt: expiresAt.toISOString() } }),
  ])
  await prisma.trustedDevice.updateMany({ where: { userId: account.user.id }, data: { expiresAt: clock.now() } })
  await browser.press(await enter(browser, account.user), 'Continue', { Code: account.nextCode(), trustDevice: 'true' })
  expect(await trusts(account.user)).toBe(1)
})
