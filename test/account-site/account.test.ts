import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { lastLink } from '../support/links.ts'
import { createPerson, password } from '../support/oauth.ts'
import { secretKey } from '../support/pace.ts'
import { startService } from '../support/service.ts'
import { createTeam, createUser, join, unique } from '../support/team.ts'
import { alertOf, contentOf, heading, noticeOf, openAs } from './shown.ts'

const service = await startService({ secretKey })
const { database, clock, mails } = service
const { prisma } = database
const newAddress = () => `${unique('new')}@example.test`
const stored = (id: string) => prisma.user.findUniqueOrThrow({ where: { id } })

/** A person at a page of their account, just signed in. */
async function at(path: string) {
  const user = await createPerson(database)
  return { user, ...(await openAs(service, user, path)) }
}

describe('a name', () => {
  test('is changed, and shown as text whatever it holds', async () => {
    const { user, browser, page } = await at('/account')
    const name = '<img src=x onerror=alert(1)>'
    const changed = await browser.press(page, 'Save', { Name: ` ${name} ` })
    expect([...heading(changed), ...noticeOf(changed)]).toEqual([200, 'Your account', 200, 'Your name was changed.'])
    expect(changed.root.querySelector('.person bdi')?.text).toBe(name)
    expect(changed.root.querySelector('img')).toBeNull()
    expect((await stored(user.id)).name).toBe(name)
  })

  test.each([
    ['', 'The name field is required.'],
    ['x'.repeat(256), 'The name field must not be greater than 255 characters.'],
  ])('is not %j', async (name, message) => {
    const { user, browser, page } = await at('/account')
    expect(alertOf(await browser.press(page, 'Save', { Name: name }))).toEqual([422, message])
    expect(await stored(user.id)).toEqual(user)
  })
})

describe('an email address', () => {
  const change = async (email: string) => {
    const given = await at('/account/email')
    const asked = await given.browser.press(given.page, 'Send the mail', { 'New email address': email })
    return { ...given, asked }
  }

  test('is changed once the new one is shown to be theirs, in whatever browser they sign in with; the old one is told', async () => {
    const email = newAddress()
    const { user, browser, asked } = await change(` ${email.toUpperCase()}`)
    expect([asked.url.pathname, ...noticeOf(asked)]).toEqual([
      '/account',
      200,
      'A mail is on its way to the new address. Your account has it once you open the link in that mail.',
    ])
    expect((await stored(user.id)).email).toBe(user.email)
    const other = new Browser(service.url)
    const signIn = await other.open(`/links/${await lastLink(service, user.id)}`)
    expect([signIn.url.pathname, signIn.url.searchParams.get('return_to')]).toEqual(['/sign-in', '/change-email'])
    const landing = await other.press(signIn, 'Sign in', { 'Email address': user.email, Password: password })
    expect([landing.url.pathname, contentOf(landing)]).toEqual([
      '/change-email',
      `Confirm your new email address Your account is to have the address ${email} . Go on only if it is you who asked for that. Confirm the address`,
    ])
    const done = await other.press(landing, 'Confirm the address')
    expect([...heading(done), ...noticeOf(done)]).toEqual([200, 'Your account', 200, 'Your account has its new email address.'])
    expect(await stored(user.id)).toMatchObject({ email, emailVerified: true })
    expect(mails.at(-1)).toEqual({ kind: 'email-changed', userId: user.id, recipient: user.email, at: expect.any(String) })
    expect(contentOf(await browser.open('/account'))).toContain(`${email} (verified)`)
  })

  test('that has an account is told so only to who reads its mails; nothing changes', async () => {
    const taken = await createUser(database)
    const { user, browser, asked } = await change(taken.email)
    expect(noticeOf(asked)).toEqual([
      200,
      'A mail is on its way to the new address. Your account has it once you open the link in that mail.',
    ])
    const landing = await browser.open(`/links/${await lastLink(service, user.id)}`)
    expect(alertOf(await browser.press(landing, 'Confirm the address'))).toEqual([422, 'The email has already been taken.'])
    expect(await stored(user.id)).toEqual(user)
  })

  test.each([
    ['grace', 'The email field must be a valid email address.'],
    ['', 'The email field is required.'],
  ])('is not %j', async (email, message) => {
    const { user, asked } = await change(email)
    expect(alertOf(asked)).toEqual([422, message])
    expect(await prisma.mailLink.count({ where: { userId: user.id } })).toBe(0)
  })

  test('is not the one it is', async () => {
    const { user, browser, page } = await at('/account/email')
    const same = await browser.press(page, 'Send the mail', { 'New email address': user.email.toUpperCase() })
    expect(alertOf(same)).toEqual([422, 'The email is that of your account already.'])
  })

  test('that was changed leaves no link to the old one that works', async () => {
    const { user, browser } = await change(newAddress())
    const confirm = await lastLink(service, user.id)
    const stranger = new Browser(service.url)
    await stranger.press(await stranger.open('/forgotten-password'), 'Send the mail', { 'Email address': user.email })
    const reset = await lastLink(service, user.id)
    await browser.press(await browser.open(`/links/${confirm}`), 'Confirm the address')
    expect((await browser.open(`/links/${reset}`)).url.pathname).toBe('/link-ended')
  })
})

describe('a password', () => {
  const chosen = { 'New password': 'a long and new password' }

  test('is changed; other browsers are signed out, this one gets a new session value', async () => {
    const { user, browser, page } = await at('/account/password')
    const { browser: other } = await openAs(service, user, '/account')
    const before = browser.cookies.get('session /')?.value
    const done = await browser.press(page, 'Change the password', chosen)
    expect([done.url.pathname, ...noticeOf(done)]).toEqual([
      '/security',
      200,
      'Your password was changed. All other browsers were signed out.',
    ])
    expect(browser.cookies.get('session /')?.value).not.toBe(before)
    expect((await other.open('/account')).url.pathname).toBe('/sign-in')
    expect(mails.at(-1)).toEqual({ kind: 'password-changed', userId: user.id, at: expect.any(String) })
    const signIn = await other.open('/sign-in')
    expect(alertOf(await other.press(signIn, 'Sign in', { 'Email address': user.email, Password: password }))[0]).toBe(422)
    expect((await other.press(signIn, 'Sign in', { 'Email address': user.email, Password: chosen['New password'] })).status).toBe(200)
  })

  test('too short is refused and nothing changes', async () => {
    const { user, browser, page } = await at('/account/password')
    const refused = await browser.press(page, 'Change the password', { 'New password': 'short' })
    expect(alertOf(refused)).toEqual([422, 'The new password field must be at least 8 characters.'])
    expect(await stored(user.id)).toEqual(user)
  })
})

describe('an account', () => {
  test('is deleted, and its browsers are signed out', async () => {
    const { user, browser, page } = await at('/account/delete')
    const done = await browser.press(page, 'Delete my account')
    expect([done.url.pathname, ...noticeOf(done)]).toEqual(['/sign-in', 200, 'Your account was deleted.'])
    expect(await prisma.user.count({ where: { id: user.id } })).toBe(0)
    expect((await browser.open('/account')).url.pathname).toBe('/sign-in')
    expect(alertOf(await browser.press(done, 'Sign in', { 'Email address': user.email, Password: password }))[0]).toBe(422)
  })

  test('that is the last owner of teams is not, and the page leads to those who can be made one', async () => {
    const { user, browser, page: kept } = await at('/account/delete')
    const teams = [await createTeam(database, { name: 'Acme' }), await createTeam(database, { name: '<b>Zeta' })]
    for (const team of teams) await join(database, team, user, 'owner')
    const shared = await createTeam(database)
    await join(database, shared, user, 'owner')
    await join(database, shared, await createUser(database), 'owner')
    const expectLinks = (page: Page) => {
      expect(page.text).toContain('You are the last owner of these teams. Make another member an owner of each first:')
      expect(page.root.querySelectorAll('main a').map((link) => [link.text, link.getAttribute('href')])).toEqual(
        teams
          .toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
          .map(({ name, slug }) => [`${name} (${slug})`, `/teams/${slug}/members`]),
      )
      expect(page.root.querySelectorAll('main form').length).toBe(0)
    }
    expectLinks(await browser.open('/account/delete'))
    const refused = await browser.press(kept, 'Delete my account')
    expect(refused.status).toBe(422)
    expectLinks(refused)
    expect(await stored(user.id)).toEqual(user)
    expect((await browser.open('/account')).status).toBe(200)
  })
})

test.each(['/account/email', '/account/password', '/account/delete'])(
  '%s asks for the password at a screen that was left open',
  async (path) => {
    const { browser, page } = await at(path)
    clock.advance(16 * 60_000)
    const values = new URLSearchParams(
      page.root
        .querySelectorAll('main input[type=hidden]')
        .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
    )
    const sent = await browser.send(page, path, values)
    expect([sent.url.pathname, sent.url.searchParams.get('return_to'), ...heading(sent)]).toEqual(['/confirm', path, 200, 'Is it you?'])
    expect((await browser.press(sent, 'Continue', { Password: password })).url.pathname).toBe(path)
  },
)

test.each(['/account', '/account/email', '/account/password', '/account/delete'])('%s is for people who are signed in', async (path) => {
  const { url } = await new Browser(service.url).open(path)
  expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', path])
})
