import { parse } from 'graphql'
import type { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { alertOf, contentOf, enter, heading, openAs } from '../../support/account-site/page-content.ts'
import { createUserWithTotp } from '../../support/account-site/trusted-browser.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createUser, unique } from '../../support/data/team.ts'
import { lastCode } from '../../support/mail/links.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { execute } from '../../../schema/execute.ts'
import { anonymous, contextOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService({ secretKey })
const { database, clock, mails } = service
const { prisma } = database
const wrongCode = [422, 'The code is incorrect or has expired.']
const endedCode = [422, 'This code can no longer be used. Request a new one.']

/** Requests a code in a browser, and returns the page that requests the code. */
async function requestCode(email: string, browser = new Browser(service.url)) {
  const page = await browser.press(await browser.open('/sign-in/code?return_to=/security&other=1'), 'Send code', { 'Email address': email })
  return { browser, page }
}
const wrongOnPurpose = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

describe('a sign-in with an emailed code', () => {
  test('signs in the browser that requested the code, once, and proves no password', async () => {
    const user = await createPerson(database)
    const { browser, page } = await requestCode(user.email)
    expect([heading(page), contentOf(page)]).toEqual([
      [200, 'Sign in with a code'],
      expect.stringContaining(`If ${user.email} has an account, we sent it an email with a 6-digit code. It expires in 10 minutes.`),
    ])
    expect(mails.filter((mail) => mail.kind === 'sign-in-code')).toHaveLength(1)
    const code = await lastCode(service, user.id)
    expect(code).toMatch(/^\d{6}$/)
    const copy = browser.copy()
    const signedIn = await browser.press(page, 'Sign in', { Code: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect([heading(signedIn), signedIn.url.pathname]).toEqual([[200, 'Sign-in and security'], '/security'])
    expect(await prisma.session.findFirstOrThrow({ where: { userId: user.id } })).toMatchObject({ methods: [], ownProof: true })
    expect(alertOf(await copy.press(page, 'Sign in', { Code: code }))).toEqual(wrongCode)
  })

  test('refuses the code in a browser that did not request it', async () => {
    const user = await createPerson(database)
    await requestCode(user.email)
    const code = await lastCode(service, user.id)
    const other = await requestCode((await createPerson(database)).email)
    expect(alertOf(await other.browser.press(other.page, 'Sign in', { Code: code }))).toEqual(wrongCode)
    const without = new Browser(service.url)
    for (const [name, cookie] of other.browser.cookies) if (!name.includes('code-request')) without.cookies.set(name, cookie)
    expect(alertOf(await without.press(other.page, 'Sign in', { Code: code }))).toEqual(endedCode)
  })

  test('refuses every code after five wrong ones, after ten minutes, and after the password was changed', async () => {
    const user = await createPerson(database)
    const { browser, page } = await requestCode(user.email)
    const code = await lastCode(service, user.id)
    for (let attempt = 0; attempt < 5; attempt++)
      expect(alertOf(await browser.press(page, 'Sign in', { Code: wrongOnPurpose(code) }))).toEqual(wrongCode)
    expect(alertOf(await browser.press(page, 'Sign in', { Code: code }))).toEqual(endedCode)

    const late = await requestCode(user.email)
    const lateCode = await lastCode(service, user.id)
    clock.advance(10 * 60_000)
    expect(alertOf(await late.browser.press(late.page, 'Sign in', { Code: lateCode }))).toEqual(endedCode)

    const changed = await requestCode(user.email)
    const changedCode = await lastCode(service, user.id)
    const owner = new Browser(service.url)
    await enter(owner, user)
    await owner.press(await owner.open('/account/password'), 'Change password', { 'New password': 'a long and new password' })
    expect(alertOf(await changed.browser.press(changed.page, 'Sign in', { Code: changedCode }))).toEqual(wrongCode)
  })

  test('asks for the second factor of the account', async () => {
    const { user, nextCode } = await createUserWithTotp(service)
    const { browser, page } = await requestCode(user.email)
    const step = await browser.press(page, 'Sign in', { Code: await lastCode(service, user.id) })
    expect([heading(step), contentOf(step)]).toEqual([[200, 'Two-factor authentication'], expect.stringContaining('Lost your device?')])
    expect(await prisma.session.count({ where: { userId: user.id, methods: { isEmpty: true } } })).toBe(0)
    expect(heading(await browser.press(step, 'Continue', { Code: nextCode() }))).toEqual([200, 'Sign-in and security'])
    expect(await prisma.session.findFirst({ where: { userId: user.id, methods: { equals: ['otp'] } } })).not.toBeNull()
  })

  test('shows the same pages for an active, a disabled, an unverified and an unknown email address, and sends one email', async () => {
    mails.length = 0
    const active = await createPerson(database)
    const disabled = await createPerson(database, { disabledAt: new Date() })
    const unverified = await createPerson(database, { emailVerified: false })
    const emails = [active.email, disabled.email, unverified.email, `${unique('x')}@example.test`]
    const pages = await Promise.all(
      emails.map(async (email) => {
        const { browser, page } = await requestCode(email)
        const refused = await browser.press(page, 'Sign in', { Code: '12345' })
        return [page.status, contentOf(page).replace(email, 'IT'), ...alertOf(refused)]
      }),
    )
    expect(new Set(pages.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(pages[0]?.slice(2)).toEqual(wrongCode)
    const links = await prisma.mailLink.findMany({ where: { email: { in: emails } } })
    expect(links.map(({ userId, kind }) => [userId, kind])).toEqual([[active.id, 'sign_in']])
  })

  test('sends at most five emails in an hour for an account', async () => {
    const user = await createPerson(database)
    const browser = new Browser(service.url)
    for (let request = 0; request < 6; request++) await requestCode(user.email, browser)
    expect(await prisma.mailLink.count({ where: { userId: user.id, kind: 'sign_in' } })).toBe(5)
  })

  test('requested again in one browser looks the same for an email address with and without an account', async () => {
    const codeCookie = ({ cookies }: Browser) => cookies.get('code-request /')?.value
    const observe = async (email: string) => {
      const browser = new Browser(service.url)
      const seen = []
      for (const attempts of [5, 1, 0, 0, 0, 1, 1]) {
        const before = codeCookie(browser)
        const { page } = await requestCode(email, browser)
        const refused = []
        for (let attempt = 0; attempt < attempts; attempt++) refused.push(alertOf(await browser.press(page, 'Sign in', { Code: 'x' })))
        seen.push([codeCookie(browser) === before, refused])
      }
      return seen
    }
    const expected = [5, 1, 0, 0, 0, 1, 1].map((attempts) => [false, Array.from({ length: attempts }, () => wrongCode)])
    const user = await createPerson(database)
    expect([await observe(user.email), await observe(`${unique('x')}@example.test`)]).toEqual([expected, expected])
  })

  test('signs in an account without a password, and is shown first at the next sign-in in this browser', async () => {
    const user = await createUser(database)
    const { browser, page } = await requestCode(user.email)
    const signedIn = await browser.press(page, 'Sign in', { Code: await lastCode(service, user.id) })
    expect(heading(signedIn)).toEqual([200, 'Sign-in and security'])
    const later = browser.copy()
    for (const name of ['session /', 'session.sig /']) later.cookies.delete(name)
    const signIn = await later.open('/sign-in')
    expect(signIn.root.querySelectorAll('main .button, main button[type=submit]').map((each) => each.text.trim())).toEqual([
      'Email me a code',
      'Sign in',
      'Use a passkey',
    ])
  })
})

test('a signed-in user signs in to another account with an emailed code, starting at the sign-in page', async () => {
  const [first, second] = [await createPerson(database), await createPerson(database)]
  const { browser } = await openAs(service, first, '/security')
  const signIn = await browser.open('/sign-in?return_to=/security&another=1')
  const link = signIn.root.querySelectorAll('main a').find((each) => each.text.trim() === 'Email me a code')
  const start = await browser.open(link?.getAttribute('href') ?? '')
  const page = await browser.press(start, 'Send code', { 'Email address': first.email })
  const other = page.root.querySelectorAll('main a').find((each) => each.text === 'Use another email address')
  const otherPage = await browser.open(other?.getAttribute('href') ?? '')
  const sent = await browser.press(otherPage, 'Send code', { 'Email address': second.email })
  const signedIn = await browser.press(sent, 'Sign in', { Code: await lastCode(service, second.id) })
  expect([heading(signedIn), contentOf(signedIn)]).toEqual([[200, 'Sign-in and security'], expect.stringContaining(second.email)])
  expect(await prisma.session.count({ where: { userId: { in: [first.id, second.id] } } })).toBe(1)
})

describe('with EMAIL_SIGN_IN=false', () => {
  const closed = useService({ emailSignIn: false })

  test('neither the sign-in page nor its own page offers a code, and a request for one is refused', async () => {
    const user = await createPerson(closed.database)
    const browser = new Browser(closed.url)
    expect((await browser.open('/sign-in')).text).not.toContain('Email me a code')
    expect(contentOf(await browser.open('/sign-in/code'))).toBe('Sign in with a code Back to sign in')
    const context = { ...contextOf(closed, anonymous), emailSignIn: false }
    const request = 'mutation ($input: RequestSignInCodeInput!) { requestSignInCode(input: $input) { email } }'
    const { errors: [error] = [] } = await execute(parse(request), { input: { email: user.email } }, context)
    const refusal = (error as GraphQLError).originalError
    expect(refusal).toMatchObject({ details: { errors: { email: ['Sign-in with an emailed code is turned off.'] } } })
    expect(await closed.database.prisma.mailLink.count({ where: { userId: user.id } })).toBe(0)
  })
})
