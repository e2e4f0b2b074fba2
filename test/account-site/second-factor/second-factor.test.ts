import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { authorizationUrl, createClient, createPerson, exchangeCode, password } from '../../support/oauth/oauth.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { useService } from '../../support/service/service.ts'
import { totpCode } from '../../support/data/totp.ts'
import { alertOf, contentOf, enter, heading } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const wrongCode = 'The code is incorrect or was already used.'

/** Creates a user whose TOTP was turned on one time step ago, so that the current code is unused. */
async function createUserWithTotp() {
  const user = await createPerson(database)
  const principal = { ...(await sessionOf(service, user)), authenticatedAt: clock.now() }
  const { secret, recoveryCodes } = await enableTotp({ service, principal })
  clock.advance(30_000)
  return { user, recoveryCodes, code: () => totpCode(secret, clock.now()) }
}

/** Enters the right password in a new browser. Returns the next page and its browser. */
async function enterPassword(user: { email: string }) {
  const browser = new Browser(service.url)
  return { browser, page: await enter(browser, user) }
}

describe('a user with a second factor', () => {
  test('enters a code after the password and then opens the requested page', async () => {
    const { user, code } = await createUserWithTotp()
    const { browser, page } = await enterPassword(user)
    expect([page.url.pathname, ...heading(page)]).toEqual(['/sign-in/second-factor', 200, 'Two-factor authentication'])
    expect(page.root.querySelectorAll('[autofocus]').map((field) => field.getAttribute('name'))).toEqual(['code'])
    expect(contentOf(page)).toContain(`Signing in as ${user.email} . Use another account`)
    // The user has no passkey that could replace the code.
    expect(page.root.querySelector('[data-passkey]')).toBeNull()
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
    const next = await browser.press(page, 'Continue', { Code: code() })
    expect([next.url.pathname, ...heading(next)]).toEqual(['/security', 200, 'Sign-in and security'])
    expect(await prisma.session.findMany({ where: { userId: user.id } })).toEqual([
      expect.objectContaining({ methods: ['pwd', 'otp'], authenticatedAt: expect.any(Date) }),
    ])
    expect((await browser.open('/sign-in/second-factor')).url.pathname).toBe('/account/teams')
  })

  test('signs in once with a recovery code, regardless of case, spaces and hyphens', async () => {
    const { user, recoveryCodes } = await createUserWithTotp()
    const typed = ` ${recoveryCodes[0]?.toLowerCase().replaceAll('-', ' ')}`
    const first = await enterPassword(user)
    expect(heading(await first.browser.press(first.page, 'Continue', { Code: typed }))).toEqual([200, 'Sign-in and security'])
    const second = await enterPassword(user)
    expect(alertOf(await second.browser.press(second.page, 'Continue', { Code: typed }))).toEqual([422, wrongCode])
  })

  test('cannot sign in with a wrong, used or empty code or a code of another user, and the field is empty again', async () => {
    const { user, code } = await createUserWithTotp()
    const other = await createUserWithTotp()
    const used = code()
    const first = await enterPassword(user)
    await first.browser.press(first.page, 'Continue', { Code: used })
    const { browser, page } = await enterPassword(user)
    for (const each of ['000000', used, other.code(), other.recoveryCodes[0] ?? '', '', '\0', 'x'.repeat(3000), '٣٤٥٦٧٨']) {
      const response = await browser.press(page, 'Continue', { Code: each })
      expect([each, ...alertOf(response)]).toEqual([each, 422, wrongCode])
      expect(response.root.querySelector('input[name=code]')?.getAttribute('value')).toBeUndefined()
    }
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(1)
  })

  test('must enter the password again after ten minutes', async () => {
    const { user, code } = await createUserWithTotp()
    const { browser, page } = await enterPassword(user)
    clock.advance(600_001)
    const next = await browser.press(page, 'Continue', { Code: code() })
    expect([next.url.pathname, ...heading(next)]).toEqual(['/sign-in', 200, 'Sign in'])
  })

  test('is signed in to only one of two browsers that send the same code concurrently', async () => {
    const { user, code } = await createUserWithTotp()
    const pendingSignIns = await Promise.all([enterPassword(user), enterPassword(user)])
    const sent = code()
    const responses = await Promise.all(pendingSignIns.map(({ browser, page }) => browser.press(page, 'Continue', { Code: sent })))
    expect(responses.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 422])
  })

  test('enters the password and a code again before a sensitive operation', async () => {
    const { user, code } = await createUserWithTotp()
    const { browser, page } = await enterPassword(user)
    await browser.press(page, 'Continue', { Code: code() })
    clock.advance(16 * 60_000)
    const prompt = await browser.press(await browser.open('/security/two-factor'), 'Turn off two-factor authentication')
    expect(heading(prompt)).toEqual([200, 'Confirm it’s you'])
    const second = await browser.press(prompt, 'Continue', { Password: password })
    expect(heading(second)).toEqual([200, 'Two-factor authentication'])
    const confirmation = await browser.press(second, 'Continue', { Code: code() })
    expect([confirmation.url.pathname, ...heading(confirmation)]).toEqual([
      '/security/two-factor',
      200,
      'Turn off two-factor authentication?',
    ])
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).totpSecret).not.toBeNull()
    expect((await prisma.session.findFirstOrThrow({ where: { userId: user.id } })).methods).toEqual(['pwd', 'otp'])
  })

  test('who is disabled before entering the code cannot sign in', async () => {
    const { user, code } = await createUserWithTotp()
    const { browser, page } = await enterPassword(user)
    await prisma.user.update({ where: { id: user.id }, data: { disabledAt: new Date() } })
    expect(heading(await browser.press(page, 'Continue', { Code: code() }))).toEqual([200, 'Sign in'])
    expect(heading(await browser.open('/security'))).toEqual([200, 'Sign in'])
  })

  test('returns to the client, whose ID token lists both authentication methods', async () => {
    const { user, code } = await createUserWithTotp()
    const client = await createClient(database)
    const browser = new Browser(service.url)
    const { url, verifier } = authorizationUrl(service, client)
    const first = await browser.press(await browser.open(url), 'Sign in', { 'Email address': user.email, Password: password })
    expect(heading(first)).toEqual([200, 'Two-factor authentication'])
    const consent = await browser.press(first, 'Continue', { Code: code() })
    const { url: callback } = await browser.press(consent, 'Allow access')
    const { body } = await exchangeCode(service, client, { code: callback.searchParams.get('code') ?? '', verifier })
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: user.id, amr: ['pwd', 'otp'] })
  })
})

test('a forged cookie of a pending sign-in leads to the sign-in page', async () => {
  const browser = new Browser(service.url)
  for (const value of ['x', Buffer.from('{"value":"{}","until":9e15}').toString('base64url')]) {
    browser.cookies.set('half-way /', { name: 'pending-sign-in', value, path: '/' })
    expect(heading(await browser.open('/sign-in/second-factor'))).toEqual([200, 'Sign in'])
  }
})

test('the second-factor page rejects a form with a wrong CSRF token and keeps the sign-in pending', async () => {
  const { user, code } = await createUserWithTotp()
  const { browser, page } = await enterPassword(user)
  const sent = await browser.send(page, '/sign-in/second-factor', new URLSearchParams({ form: 'code', csrf: 'x', code: code() }))
  expect(sent.status).toBe(403)
  expect(heading(await browser.press(page, 'Continue', { Code: code() }))).toEqual([200, 'Sign-in and security'])
})

describe('a limit of three second-factor attempts', () => {
  const limited = useService({ rateLimitSignInAccount: 3 })

  test('rejects even the right code after three wrong ones, until it expires, and does not limit the password', async () => {
    const user = await createPerson(limited.database)
    const { secret } = await enableTotp({ service: limited, principal: await sessionOf(limited, user) })
    limited.clock.advance(30_000)
    const browser = new Browser(limited.url)
    const prompt = await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': user.email, Password: password })
    for (let attempt = 0; attempt < 3; attempt++) expect((await browser.press(prompt, 'Continue', { Code: '000000' })).status).toBe(422)
    const refused = await browser.press(prompt, 'Continue', { Code: totpCode(secret, limited.clock.now()) })
    expect(alertOf(refused)).toEqual([429, 'Too many attempts. Try again in 15 minutes.'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
    const other = new Browser(limited.url)
    const secondPrompt = await other.press(await other.open('/sign-in'), 'Sign in', { 'Email address': user.email, Password: password })
    expect(heading(secondPrompt)).toEqual([200, 'Two-factor authentication'])
    await limited.database.prisma.attemptCount.updateMany({ data: { expire: 0n } })
    const accepted = await other.press(secondPrompt, 'Continue', { Code: totpCode(secret, limited.clock.now()) })
    expect(heading(accepted)).toEqual([200, 'Your teams'])
  })
})
