import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, createUser, join, unique } from '../../support/data/team.ts'
import { alertOf, contentOf, heading, noticeOf, openAs } from '../../support/account-site/page-content.ts'

const service = useService({ secretKey })
const { database, clock, mails } = service
const { prisma } = database
const newAddress = () => `${unique('new')}@example.test`
// Without the time of the last activity, which is written in the background.
const findUser = (id: string) => prisma.user.findUniqueOrThrow({ where: { id }, omit: { lastActiveAt: true } })

/** Creates a user, signs them in, and opens a page of their account. */
async function openAccountPage(path: string) {
  const user = await createPerson(database)
  return { user, ...(await openAs(service, user, path)) }
}

describe('a user name', () => {
  test('is changed, and is rendered as text when it contains markup', async () => {
    const { user, browser, page } = await openAccountPage('/account')
    const name = '<img src=x onerror=alert(1)>'
    const changed = await browser.press(page, 'Save', { Name: ` ${name} ` })
    expect([...heading(changed), ...noticeOf(changed)]).toEqual([200, 'Profile', 200, 'Your profile was saved.'])
    expect(changed.root.querySelector('.person bdi')?.text).toBe(name)
    expect(changed.root.querySelector('img')).toBeNull()
    expect((await findUser(user.id)).name).toBe(name)
  })

  test.each([
    ['', 'Enter a name.'],
    ['x'.repeat(256), 'Name must be at most 255 characters.'],
  ])('is rejected when it is %j', async (name, message) => {
    const { user, browser, page } = await openAccountPage('/account')
    expect(alertOf(await browser.press(page, 'Save', { Name: name }))).toEqual([422, message])
    expect(user).toMatchObject(await findUser(user.id))
  })
})

describe('a change of the email address', () => {
  const requestChange = async (email: string) => {
    const session = await openAccountPage('/account/email')
    const response = await session.browser.press(session.page, 'Send confirmation link', { 'New email address': email })
    return { ...session, response }
  }

  test('takes effect when the user confirms the mail link in any browser, and notifies the old address', async () => {
    const email = newAddress()
    const { user, browser, response } = await requestChange(` ${email.toUpperCase()}`)
    expect([response.url.pathname, ...noticeOf(response)]).toEqual([
      '/account/email',
      200,
      `We sent an email to ${email}. Open the link in it to confirm the change.`,
    ])
    expect((await findUser(user.id)).email).toBe(user.email)
    const other = new Browser(service.url)
    const signIn = await other.open(`/links/${await lastLink(service, user.id)}`)
    expect([signIn.url.pathname, signIn.url.searchParams.get('return_to')]).toEqual(['/sign-in', '/change-email'])
    const landing = await other.press(signIn, 'Sign in', { 'Email address': user.email, Password: password })
    expect([landing.url.pathname, contentOf(landing)]).toEqual([
      '/change-email',
      `Confirm your new email address The email address of your account changes to ${email} . Continue only if you requested this. End my other sessions Signs you out in all other browsers and removes them from your trusted devices. Confirm email address Cancel`,
    ])
    const done = await other.press(landing, 'Confirm email address')
    expect(noticeOf(done)).toEqual([200, `Your email address is now ${email}.`])
    expect(mails.at(-1)).toMatchObject({ kind: 'email-changed', userId: user.id, recipient: user.email, at: expect.any(String) })
    expect(contentOf(done)).toContain(`${email} Verified`)
    expect(heading(await browser.open('/account'))).toEqual([200, 'Sign in'])
  })

  test('to the address of another account is refused only after the mail link is opened, and changes nothing', async () => {
    const taken = await createUser(database)
    const { user, browser, response } = await requestChange(taken.email)
    expect(noticeOf(response)).toEqual([200, `We sent an email to ${taken.email}. Open the link in it to confirm the change.`])
    const landing = await browser.open(`/links/${await lastLink(service, user.id)}`)
    expect(alertOf(await browser.press(landing, 'Confirm email address'))).toEqual([422, 'This email is already taken.'])
    expect(user).toMatchObject(await findUser(user.id))
  })

  test.each([
    ['grace', 'Enter a valid email address.'],
    ['', 'Enter a new email address.'],
  ])('to %j is rejected', async (email, message) => {
    const { user, response } = await requestChange(email)
    expect(alertOf(response)).toEqual([422, message])
    expect(await prisma.mailLink.count({ where: { userId: user.id } })).toBe(0)
  })

  test('to the current address is rejected', async () => {
    const { user, browser, page } = await openAccountPage('/account/email')
    const same = await browser.press(page, 'Send confirmation link', { 'New email address': user.email.toUpperCase() })
    expect(alertOf(same)).toEqual([422, 'This is already your email address.'])
  })

  test('ends the links that were mailed to the old address', async () => {
    const { user, browser } = await requestChange(newAddress())
    const confirm = await lastLink(service, user.id)
    const visitor = new Browser(service.url)
    await visitor.press(await visitor.open('/forgotten-password'), 'Send reset link', { 'Email address': user.email })
    const reset = await lastLink(service, user.id)
    await browser.press(await browser.open(`/links/${confirm}`), 'Confirm email address')
    expect((await browser.open(`/links/${reset}`)).url.pathname).toBe('/link-ended')
  })
})

describe('a password change', () => {
  const fields = { 'New password': 'a long and new password' }

  test('signs out the other browsers and replaces the session cookie value of this one', async () => {
    const { user, browser, page } = await openAccountPage('/account/password')
    const { browser: other } = await openAs(service, user, '/account')
    const before = browser.cookies.get('session /')?.value
    const done = await browser.press(page, 'Change password', fields)
    expect([done.url.pathname, ...noticeOf(done)]).toEqual([
      '/security',
      200,
      'Your password was changed. All other browsers were signed out.',
    ])
    expect(browser.cookies.get('session /')?.value).not.toBe(before)
    expect((await other.open('/account')).url.pathname).toBe('/sign-in')
    expect(mails.at(-1)).toMatchObject({ kind: 'password-changed', userId: user.id, at: expect.any(String) })
    const signIn = await other.open('/sign-in')
    expect(alertOf(await other.press(signIn, 'Sign in', { 'Email address': user.email, Password: password }))[0]).toBe(422)
    expect((await other.press(signIn, 'Sign in', { 'Email address': user.email, Password: fields['New password'] })).status).toBe(200)
  })

  test('to a password that is too short is rejected and changes nothing', async () => {
    const { user, browser, page } = await openAccountPage('/account/password')
    const refused = await browser.press(page, 'Change password', { 'New password': 'short' })
    expect(alertOf(refused)).toEqual([422, 'New password must be at least 8 characters.'])
    expect(user).toMatchObject(await findUser(user.id))
  })
})

describe('an account deletion', () => {
  test('is refused for the last owner of teams with other members, and the page links to each such team', async () => {
    const { user, browser, page: stalePage } = await openAccountPage('/account/delete')
    const teams = [await createTeam(database, { name: 'Acme' }), await createTeam(database, { name: '<b>Zeta' })]
    for (const team of teams) {
      await join(database, team, user, 'owner')
      await join(database, team, await createUser(database), 'member')
    }
    const shared = await createTeam(database)
    await join(database, shared, user, 'owner')
    await join(database, shared, await createUser(database), 'owner')
    const expectLinks = (page: Page) => {
      expect(page.text).toContain('You are the last owner of these teams, which have other members.')
      expect(page.root.querySelectorAll('main a').map((link) => link.getAttribute('href'))).toEqual(
        teams
          .map(({ slug }) => slug)
          .toSorted()
          .flatMap((slug) => [`/teams/${slug}/members`, `/teams/${slug}/settings`]),
      )
      expect(page.root.querySelectorAll('main form').length).toBe(0)
    }
    expectLinks(await browser.open('/account/delete'))
    const refused = await browser.press(stalePage, 'Delete account', { typedEmail: user.email })
    expect(refused.status).toBe(422)
    expectLinks(refused)
    expect(user).toMatchObject(await findUser(user.id))
    expect((await browser.open('/account')).status).toBe(200)
  })
})

test.each(['/account/email', '/account/password', '/account/data', '/account/delete'])(
  'a form sent to %s more than 15 minutes after the sign-in requires the password again',
  async (path) => {
    const { browser, page } = await openAccountPage(path)
    clock.advance(16 * 60_000)
    const values = new URLSearchParams(
      page.root
        .querySelectorAll('main input[type=hidden]')
        .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
    )
    const next = await browser.send(page, path, values)
    expect([next.status, next.url.pathname, next.url.searchParams.get('return_to')]).toEqual([200, '/confirm', path])
    expect((await browser.press(next, 'Continue', { Password: password })).url.pathname).toBe(path)
  },
)

test.each(['/account', '/account/email', '/account/password', '/account/data', '/account/delete'])(
  '%s requires a signed-in user',
  async (path) => {
    const { url } = await new Browser(service.url).open(path)
    expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', path])
  },
)
