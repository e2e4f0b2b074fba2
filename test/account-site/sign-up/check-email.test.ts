import { describe, expect, test } from 'vitest'
import { alertOf, contentOf, enter, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { comparableStatements, newAddress, newPassword, signedUp, signUp } from '../../support/account-site/signed-up.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { startService, useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService({ secretKey })
const { database } = service
const { prisma } = database
const againButton = 'Send the email again'

describe('the page that waits for the email of a sign-up', () => {
  test('sends the email again, with a link that replaces the previous one', async () => {
    const { email, browser, page, link, open } = await signedUp(service)
    const first = await link()
    const again = await browser.press(page, againButton)
    expect(noticeOf(again)).toEqual([200, `We sent another email to ${email}. Its link replaces the previous one.`])
    expect((await browser.open(first)).url.pathname).toBe('/link-ended')
    expect(heading(await open())).toEqual([200, 'Create your team'])
  })

  test('looks and answers the same for an existing account, whose owner gets another email', async () => {
    const owner = await createPerson(database)
    const existing = await signUp(service, owner.email)
    const created = await signedUp(service)
    const contentsOf = async ({ browser, page }: typeof existing, email: string) => {
      const again = await browser.press(page, againButton)
      return [page, again].map((each) => [each.status, each.url.href, contentOf(each).replaceAll(email, 'IT')])
    }
    expect(await contentsOf(existing, owner.email)).toEqual(await contentsOf(created, created.email))
    expect(await prisma.mailLink.findMany({ where: { userId: owner.id }, select: { kind: true } })).toEqual([
      { kind: 'reset_password' },
      { kind: 'reset_password' },
    ])
    // Whoever signed up with the address of another account cannot use its link.
    expect(await prisma.session.count({ where: { userId: owner.id } })).toBe(0)
  })

  test('runs the same statements whether or not the address had an account', async () => {
    const statementsFor = async (email: string) => {
      const { browser, page } = await signUp(service, email)
      service.statements.length = 0
      await browser.press(page, againButton)
      return comparableStatements(service)
    }
    const { email } = await createPerson(database)
    await statementsFor(newAddress())
    const expected = await statementsFor(newAddress())
    for (let mail = 0; mail < 4; mail++) expect(await statementsFor(email)).toEqual(expected)
  })

  test('sends at most five emails an hour without saying so, and refuses requests beyond the limit of the IP address', async () => {
    const limited = await startService({ secretKey, rateLimitSignUp: 7 })
    const { browser, page, findUser } = await signedUp(limited)
    for (let count = 0; count < 6; count++) expect((await browser.press(page, againButton)).status).toBe(200)
    expect(await limited.database.prisma.mailLink.count({ where: { userId: (await findUser()).id } })).toBe(5)
    const refused = await browser.press(page, againButton)
    expect(alertOf(refused)).toEqual([429, 'Too many attempts. Try again in 15 minutes.'])
    expect(refused.headers.get('retry-after')).toMatch(/^[89]\d\d$/)
  })

  test('returns to the form with what was typed when the address was wrong', async () => {
    const { email, browser, page } = await signedUp(service, '/sign-up?return_to=%2Fsecurity')
    const link = page.root.querySelectorAll('main a').find(({ text }) => text === 'Change it')
    const form = await browser.open(link?.getAttribute('href') ?? '')
    const valueOf = (name: string) => form.root.querySelector(`[name=${name}]`)?.getAttribute('value')
    expect([valueOf('name'), valueOf('email'), valueOf('password')]).toEqual(['Grace', email, undefined])
    expect(form.root.querySelector('[autofocus]')?.getAttribute('name')).toBe('email')
    const corrected = newAddress()
    const waiting = await browser.press(form, 'Create account', { 'Email address': corrected, Password: newPassword })
    expect([contentOf(waiting), waiting.url.searchParams.get('return_to')]).toEqual([expect.stringContaining(corrected), '/security'])
    // Others who open the form in this browser do not see it.
    expect((await browser.open('/sign-up')).root.querySelector('[name=email]')?.getAttribute('value')).toBe('')
  })

  test('leads to the form without a sign-up, and to the start page after signing in', async () => {
    expect((await new Browser(service.url).open('/sign-up/check-email')).url.pathname).toBe('/sign-up')
    const { browser, page } = await signedUp(service)
    await enter(browser, await createPerson(database))
    expect((await browser.open('/sign-up/check-email')).url.pathname).toBe('/account/teams')
    const outdated = await browser.press(page, againButton)
    expect(outdated.url.pathname).toBe('/account/teams')
  })

  test('keeps the sign-up in a cookie that reveals neither the address nor whether there was an account', async () => {
    const owner = await createPerson(database)
    const other = owner.email.replace(/.$/, 'x')
    const cookieOf = ({ cookies }: Browser) => cookies.get('sign-up /')?.value ?? ''
    const values = [cookieOf((await signUp(service, owner.email)).browser), cookieOf((await signUp(service, other)).browser)]
    expect([new Set(values.map(({ length }) => length)).size, (values[0]?.length ?? 0) > 100]).toEqual([1, true])
    expect(Buffer.from(values[0] ?? '', 'base64url').toString('latin1')).not.toContain(owner.email)
  })
})
