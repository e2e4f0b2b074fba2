import { describe, expect, test } from 'vitest'
import { enter, heading } from '../../support/account-site/page-content.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { useChromium } from '../../support/browser/chromium.ts'
import { evaluateInPage, expectAccessible, expectFits, openTab, signInAt, sizes } from '../../support/browser/tab.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { authorizationUrl, createClient, createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

// What the page remembers and where it starts. Who can sign in: sign-in.slow.test.ts.

const service = useService()
const { database, url } = service
const browser = useChromium()

const addressOn = ({ root }: Page) => root.querySelector('[name=email]')?.getAttribute('value')
const focusOn = ({ root }: Page) => root.querySelectorAll('[autofocus]').map((field) => field.getAttribute('name'))
const isTicked = ({ root }: Page) => root.querySelector('[name=remember]')?.hasAttribute('checked')

/** Signs in and out, and opens the sign-in page again. */
async function signInAgain(visitor: Browser, fields: Record<string, string | readonly string[]>): Promise<Page> {
  const signedIn = await visitor.press(await visitor.open('/sign-in'), 'Sign in', { Password: password, ...fields })
  await visitor.press(signedIn, 'Sign out')
  return visitor.open('/sign-in')
}

describe('the email address', () => {
  test('is shown on the device where somebody signed in with it, and the page starts at the password', async () => {
    const user = await createPerson(database)
    const visitor = new Browser(url)
    const first = await visitor.open('/sign-in')
    expect([addressOn(first), focusOn(first), isTicked(first)]).toEqual(['', ['email'], true])
    const again = await signInAgain(visitor, { 'Email address': ` ${user.email} ` })
    expect([addressOn(again), focusOn(again)]).toEqual([user.email, ['password']])
    expect(addressOn(await visitor.open('/forgotten-password'))).toBe(user.email)
    const signedIn = await visitor.press(again, 'Sign in', { Password: password })
    expect(heading(signedIn)).toEqual([200, 'Your teams'])
    // Who asks for another account does not want the present one.
    expect(addressOn(await visitor.open('/sign-in?return_to=%2Fsecurity&another=1'))).toBe('')
  })

  test('is not remembered if the user unticks the box, nor after a wrong password', async () => {
    const [user, other] = [await createPerson(database), await createPerson(database)]
    const visitor = new Browser(url)
    await signInAgain(visitor, { 'Email address': user.email })
    const wrong = await visitor.press(await visitor.open('/sign-in'), 'Sign in', { 'Email address': other.email, Password: 'wrong' })
    expect([addressOn(wrong), focusOn(wrong)]).toEqual([other.email, ['password']])
    expect(addressOn(await visitor.open('/sign-in'))).toBe(user.email)
    const unticked = await signInAgain(visitor, { 'Email address': other.email, remember: [] })
    expect([addressOn(unticked), isTicked(unticked)]).toEqual(['', false])
    const ticked = await signInAgain(visitor, { 'Email address': other.email, remember: 'true' })
    expect([addressOn(ticked), isTicked(ticked)]).toEqual([other.email, true])
  })

  test('is that of the client, if it names one', async () => {
    const [user, client] = [await createPerson(database), await createClient(database)]
    const visitor = new Browser(url)
    await signInAgain(visitor, { 'Email address': user.email })
    const hinted = await visitor.open(authorizationUrl(service, client, { login_hint: 'grace@example.test' }).url)
    expect([addressOn(hinted), focusOn(hinted)]).toEqual(['grace@example.test', ['password']])
    expect(addressOn(await visitor.open(authorizationUrl(service, client).url))).toBe(user.email)
  })

  test('is kept in a cookie that does not reveal it', async () => {
    const user = await createPerson(database)
    const visitor = new Browser(url)
    await enter(visitor, user)
    const value = visitor.cookies.get('address /')?.value ?? ''
    expect([value.length > 40, Buffer.from(value, 'base64url').toString('latin1').includes(user.email)]).toEqual([true, false])
  })
})

test('signing in opens the team that the browser opened last, and another user does not get there', async () => {
  const [user, other] = [await createPerson(database), await createPerson(database)]
  const [alpha, beta] = [await createTeam(database, { name: 'Alpha' }), await createTeam(database, { name: 'Beta' })]
  for (const team of [alpha, beta]) await join(database, team, user, 'owner')
  await join(database, alpha, other, 'member')
  const last = [alpha.slug, beta.slug].toSorted()[1]
  const visitor = new Browser(url)
  await enter(visitor, user, `/teams/${last}/members`)
  await visitor.press(await visitor.open('/security'), 'Sign out')
  const page = await visitor.press(await visitor.open('/sign-in'), 'Sign in', { Password: password })
  expect(page.url.pathname).toBe(`/teams/${last}`)
  await visitor.press(page, 'Sign out')
  const otherPage = await visitor.press(await visitor.open('/sign-in'), 'Sign in', { 'Email address': other.email, Password: password })
  expect(otherPage.url.pathname).toBe(`/teams/${alpha.slug}`)
})

test('end users find no links for developers on pages without a session', async () => {
  const page = await new Browser(url).open('/sign-in')
  expect(page.root.querySelectorAll('footer a').map(({ text }) => text)).toEqual([])
})

describe.each(Object.entries(sizes))('in Chromium (%s)', (_, viewport) => {
  test('the page starts at its first empty field and does not move, and the passkey is apart from the form', async () => {
    const { email } = await createPerson(database)
    const tab = await openTab(browser, service, { viewport })
    const { page, complaints } = tab
    const focused = () => evaluateInPage(page, ({ document, scrollY }) => [document.activeElement.name, scrollY])
    await page.goto(`${url}/sign-in`)
    expect(await focused()).toEqual(['email', 0])
    await expectFits(page)
    await expectAccessible(page)
    const parts = ['form:has([name=password])', '.or', '[data-passkey] button'].map((each) => page.locator(`main ${each}`))
    const tops = await Promise.all(parts.map(async (part) => (await part.boundingBox())?.y ?? 0))
    expect(tops).toEqual(tops.toSorted((one, other) => one - other))
    expect(await page.locator('form:has([name=password]) .or').count()).toBe(0)
    await signInAt(tab, service, email)
    await page.context().clearCookies({ name: /^session/ })
    await page.goto(`${url}/sign-in`)
    expect([await page.getByLabel('Email address').inputValue(), await focused()]).toEqual([email, ['password', 0]])
    await expectFits(page)
    expect(complaints).toEqual([])
  })
})
