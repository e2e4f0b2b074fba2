import { describe, expect, test } from 'vitest'
import { formOf } from '../../support/oauth/authorization.ts'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { travel } from '../../support/service/clock.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createSession } from '../../support/data/session-row.ts'
import { contentOf, enter, heading, noticeOf, signedIn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database, url } = service
const { prisma } = database

/** Opens the page with the form that ends other sessions, for a user with another session. */
async function atForm() {
  const { user, browser } = await signedIn(service)
  await createSession(database, user)
  const page = await browser.open('/security/sessions')
  return { user, browser, page, ...formOf(page, 'Sign out all other browsers') }
}
const sessions = (user: { id: string }) => prisma.session.count({ where: { userId: user.id } })
const csrfTokenOf = (page: Page, button: string) => formOf(page, button).values.get('csrf') ?? ''

const expired =
  'This form has expired The page was open for too long, or someone signed in or out in this browser. Nothing was changed. ' +
  'Load the page again and resubmit the form. Load the page again'
/** The status code and the whole text of an error page, without the request ID of its response, with which it must end. */
function textOf(page: Page) {
  const requestId = ` Request ID: ${page.headers.get('x-request-id')}`
  const text = contentOf(page)
  expect(text.endsWith(requestId)).toBe(true)
  return [page.status, text.slice(0, -requestId.length)]
}

describe('a submitted form', () => {
  test('is accepted from its own page', async () => {
    const { user, browser, page } = await atForm()
    expect(noticeOf(await browser.press(page, 'Sign out all other browsers'))).toEqual([200, 'All other browsers were signed out.'])
    expect(await sessions(user)).toBe(1)
  })

  test('changes nothing without its CSRF token or with another one', async () => {
    const { user, browser, page, action, values } = await atForm()
    const other = await atForm()
    const sameElsewhere = new Browser(url)
    const elsewhere = await enter(sameElsewhere, user, '/security/sessions')
    const visitor = new Browser(url)
    const csrfTokens = {
      missing: null,
      empty: '',
      'made up': 'A'.repeat(43),
      'cut off': values.get('csrf')?.slice(0, -1) ?? '',
      'of another form of the page': csrfTokenOf(page, 'Sign out'),
      'of another person': other.values.get('csrf') ?? '',
      'of another browser of the same person': csrfTokenOf(elsewhere, 'Sign out all other browsers'),
      'of a browser without a session': csrfTokenOf(await visitor.open('/sign-in'), 'Sign in'),
    }
    const before = await sessions(user)
    for (const [which, csrfToken] of Object.entries(csrfTokens)) {
      if (csrfToken === null) values.delete('csrf')
      else values.set('csrf', csrfToken)
      expect([which, ...textOf(await browser.send(page, action, values))]).toEqual([which, 403, expired])
    }
    // A repeated token is refused, since it is ambiguous which one counts.
    values.append('csrf', csrfTokenOf(page, 'Sign out all other browsers'))
    expect(textOf(await browser.send(page, action, values))).toEqual([403, expired])
    expect(await sessions(user)).toBe(before)
  })

  test('with an invalid token links to the current state of its page', async () => {
    const { browser, page, action } = await atForm()
    const refused = await browser.send(page, action, new URLSearchParams({ form: 'revoke-others', csrf: 'x' }))
    const again = await browser.open(refused.root.querySelector('main a')?.getAttribute('href') ?? '')
    expect(noticeOf(await browser.press(again, 'Sign out all other browsers'))).toEqual([200, 'All other browsers were signed out.'])
  })

  test('changes nothing with the CSRF token of the same form on another page', async () => {
    const { user, browser, page } = await atForm()
    const { values } = formOf(page, 'Sign out')
    expect(textOf(await browser.send(page, '/security/passkeys/new', values))).toEqual([403, expired])
    expect((await browser.open('/security/sessions')).text).toContain(user.name)
  })

  test.each(['', 'no-such', 'sign-in', 'constructor', '__proto__', 'toString'])(
    'changes nothing when the page has no form named %j',
    async (name) => {
      const { user, browser, page, action, values } = await atForm()
      values.set('form', name)
      expect(textOf(await browser.send(page, action, values))).toEqual([403, expired])
      expect(await sessions(user)).toBe(2)
    },
  )

  test.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'null' }],
    [{ origin: url, 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ origin: `${url}.evil.example`, 'sec-fetch-site': 'same-site' }],
  ] as Record<string, string>[][])('changes nothing when it comes from another site: %j', async (headers) => {
    const { user, browser, action, values } = await atForm()
    const response = await browser.open(action, { method: 'POST', body: values, headers })
    expect([...textOf(response), await sessions(user)]).toEqual([403, expired, 2])
  })

  test('of the previous user changes nothing after another user signed in in the same browser', async () => {
    const { user, browser, page, action, values } = await atForm()
    const second = await createPerson(database)
    await enter(browser, second)
    await createSession(database, second)
    expect(textOf(await browser.send(page, action, values))).toEqual([403, expired])
    // The sign-in of the second user ended the first user's session in this browser, but not the one in another browser.
    expect([await sessions(user), await sessions(second)]).toEqual([1, 2])
  })

  test('of an expired session redirects to the sign-in page, which returns to the form', async () => {
    const { user, browser, page } = await atForm()
    travel(15 * 86_400_000)
    const signInPage = await browser.press(page, 'Sign out all other browsers')
    expect([heading(signInPage), signInPage.url.search]).toEqual([[200, 'Sign in'], '?return_to=%2Fsecurity%2Fsessions'])
    expect(await sessions(user)).toBe(2)
  })
})

describe('the sign-in form', () => {
  test('of an attacker does not sign a victim in as the attacker', async () => {
    const attacker = await createPerson(database)
    const own = new Browser(url)
    const { action, values } = formOf(await own.open('/sign-in'), 'Sign in')
    values.set('email', attacker.email)
    values.set('password', password)
    const victim = new Browser(url)
    const page = await victim.open('/sign-in')
    // A form from our own pages is shown again, but without the password.
    const again = await victim.send(page, action, values)
    expect([heading(again), again.text.includes(password)]).toEqual([[403, 'Sign in'], false])
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    expect(textOf(await victim.open(action, { method: 'POST', body: values, headers: crossSite }))).toEqual([403, expired])
    // A form with a token of the victim's own page is refused too when it comes from another site.
    values.set('csrf', csrfTokenOf(page, 'Sign in'))
    expect(textOf(await victim.open(action, { method: 'POST', body: values, headers: crossSite }))).toEqual([403, expired])
    expect(await sessions(attacker)).toBe(0)
  })
})

describe('a request body that is not a form', () => {
  const unreadable = 'We couldn’t read this form Nothing was changed. Go back and start again.'
  test.each([
    ['application/json', '{"form":"revoke-others"}', 403, expired],
    ['text/plain', 'form=revoke-others', 403, expired],
    ['multipart/form-data; boundary=x', '--x--', 403, expired],
    ['application/x-www-form-urlencoded', '', 403, expired],
    ['application/x-www-form-urlencoded', 'form=a&form=b&csrf[x]=c&__proto__=1', 403, expired],
    ['application/x-www-form-urlencoded; charset=koi8-r', 'form=x', 415, unreadable],
    ['application/x-www-form-urlencoded', `form=${'x'.repeat(70_000)}`, 413, unreadable],
    ['application/x-www-form-urlencoded', 'a=1&'.repeat(1001), 413, unreadable],
  ])('(%s %.30s) gets an error page', async (type, body, status, text) => {
    const { user, browser } = await atForm()
    const response = await browser.open('/security/sessions', { method: 'POST', headers: { origin: url, 'content-type': type }, body })
    expect([...textOf(response), await sessions(user)]).toEqual([status, text, 2])
  })
})
