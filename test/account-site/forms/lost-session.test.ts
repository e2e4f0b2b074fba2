import { describe, expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import { Browser, formValues } from '../../support/browser/browser.ts'
import { alertOf, noticeOf, openAs, signedIn } from '../../support/account-site/page-content.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join } from '../../support/data/team.ts'
import type { User } from '../../../prisma/generated/client/client.ts'

// A form that is submitted after the session ended: docs/decisions/accounts.md#sessions.

const service = useService()
const { prisma } = service.database
const notDoneYet = [200, 'Your changes are not saved yet. Check them and submit again.']
const outOfDate = [403, 'This page was out of date. Check the form and submit it again.']

/** Ends the sessions of a user, as their expiry does. */
const endSessions = async (user: User) => {
  const sessions = await prisma.session.findMany({ where: { userId: user.id } })
  await prisma.oidcModel.deleteMany({ where: { uidHash: { in: sessions.map(({ uidHash }) => uidHash) } } })
}
const signInAs = (browser: Browser, page: Page, user: User) =>
  browser.press(page, 'Sign in', { 'Email address': user.email, Password: password })
const valueOf = ({ root }: Page, name: string) => root.querySelector(`main [name=${name}]`)?.getAttribute('value') ?? ''

describe('a form that is submitted after the session ended', () => {
  test('is shown again with its values after the sign-in, and is executed only when the user submits it again', async () => {
    const { user, browser } = await signedIn(service)
    const account = await browser.open('/account')
    await endSessions(user)
    const asked = await browser.press(account, 'Save', { Name: 'Grace' })
    expect([asked.url.pathname, asked.url.searchParams.get('return_to')]).toEqual(['/sign-in', '/account'])
    const back = await signInAs(browser, asked, user)
    expect([back.url.pathname, alertOf(back), valueOf(back, 'name')]).toEqual(['/account', notDoneYet, 'Grace'])
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ name: user.name })
    expect(noticeOf(await browser.press(back, 'Save'))[0]).toBe(200)
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ name: 'Grace' })
    expect(valueOf(await browser.open('/account'), 'name')).toBe('Grace')
  })

  test('is shown again with its values on a page of a team', async () => {
    const user = await createPerson(service.database)
    const team = await createTeam(service.database)
    await join(service.database, team, user, 'owner')
    const { browser, page } = await openAs(service, user, `/teams/${team.slug}/invitations/new`)
    await endSessions(user)
    const asked = await browser.press(page, 'Send invitations', { 'Email addresses': 'guest@example.test', role: 'BILLING' })
    const back = await signInAs(browser, asked, user)
    expect([alertOf(back), back.root.querySelector('#field-emails')?.text]).toEqual([notDoneYet, 'guest@example.test'])
    expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(0)
  })

  test('is not shown to another user who signs in, nor to the same user afterwards', async () => {
    const { user, browser } = await signedIn(service)
    const account = await browser.open('/account')
    await endSessions(user)
    const asked = await browser.press(account, 'Save', { Name: 'Private' })
    const other = await createPerson(service.database)
    const landing = await signInAs(browser, asked, other)
    expect([landing.url.pathname, alertOf(landing), valueOf(landing, 'name')]).toEqual(['/account', [200, undefined], other.name])
    expect(landing.text).not.toContain('Private')
  })

  test('does not keep a password', async () => {
    const { user, browser } = await signedIn(service)
    const page = await browser.open('/account/password')
    await endSessions(user)
    const asked = await browser.press(page, 'Change password', { 'New password': 'a secret that nobody sees' })
    const back = await signInAs(browser, asked, user)
    expect([back.url.pathname, alertOf(back)]).toEqual(['/account/password', notDoneYet])
    expect(back.text).not.toContain('a secret that nobody sees')
  })

  test.each([
    ['without a token', (values: URLSearchParams) => values.delete('draft')],
    ['with a token of another form', (values: URLSearchParams) => values.set('form', 'resend')],
    ['with a wrong token', (values: URLSearchParams) => values.set('draft', 'x')],
  ])('%s is not shown again: another site cannot fill in a form', async (_, forge) => {
    const { user, browser } = await signedIn(service)
    const account = await browser.open('/account')
    const form = account.root.querySelector('main form')
    if (!form) throw new Error('no form')
    const values = formValues(form)
    values.set('name', 'Mallory')
    forge(values)
    await endSessions(user)
    const back = await signInAs(browser, await browser.send(account, '/account', values), user)
    expect([back.url.pathname, alertOf(back), valueOf(back, 'name')]).toEqual(['/account', [200, undefined], user.name])
  })

  test('from another origin is refused and not stored', async () => {
    const { user, browser } = await signedIn(service)
    const account = await browser.open('/account')
    await endSessions(user)
    const body = formValues(account.root.querySelector('main form') ?? account.root)
    const refused = await browser.open(new URL('/account', service.url), {
      method: 'POST',
      body,
      headers: { origin: 'https://evil.example' },
    })
    expect([refused.status, [...browser.cookies.keys()].some((name) => name.startsWith('form-draft'))]).toEqual([403, false])
  })
})

describe('a form whose CSRF token is no longer valid', () => {
  test('is shown again with its values to the user who opened it, after a new sign-in in another tab', async () => {
    const { user, browser } = await signedIn(service)
    const account = await browser.open('/account')
    await endSessions(user)
    await signInAs(browser, await browser.open('/sign-in'), user)
    const again = await browser.press(account, 'Save', { Name: 'Grace' })
    expect([alertOf(again), valueOf(again, 'name')]).toEqual([outOfDate, 'Grace'])
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ name: user.name })
    expect(noticeOf(await browser.press(again, 'Save'))[0]).toBe(200)
    expect(await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).toMatchObject({ name: 'Grace' })
  })

  test('is shown again when the cookie of the browser has expired, also without a user, but without the password', async () => {
    const { browser, user } = await signedIn(service)
    const account = await browser.open('/account')
    browser.cookies.delete('browser /')
    const again = await browser.press(account, 'Save', { Name: 'Grace' })
    expect([alertOf(again), valueOf(again, 'name')]).toEqual([outOfDate, 'Grace'])
    const visitor = new Browser(service.url)
    const signIn = await visitor.open('/sign-in')
    visitor.cookies.clear()
    const refused = await signInAs(visitor, signIn, user)
    expect([alertOf(refused), valueOf(refused, 'email'), refused.text.includes(password)]).toEqual([outOfDate, user.email, false])
    expect(refused.root.querySelector('input[name=password]')?.getAttribute('value')).toBeUndefined()
  })

  test('is not shown to another user who signed in in the same browser', async () => {
    const { browser } = await signedIn(service)
    const account = await browser.open('/account')
    const other = await createPerson(service.database)
    await signInAs(browser, await browser.open('/sign-in?return_to=%2Fsecurity&another=1'), other)
    const refused = await browser.press(account, 'Save', { Name: 'Private' })
    expect([refused.status, refused.text.includes('This form has expired'), refused.text.includes('Private')]).toEqual([403, true, false])
  })
})

test('a form that is too long for a cookie stays in its page while the user signs in in another tab', async () => {
  const user = await createPerson(service.database)
  const team = await createTeam(service.database)
  await join(service.database, team, user, 'owner')
  const { browser, page } = await openAs(service, user, `/teams/${team.slug}/invitations/new`)
  const emails = Array.from({ length: 99 }, (_, index) => `a-guest-with-a-rather-long-address-${index}@example.test`).join('\n')
  await endSessions(user)
  const kept = await browser.press(page, 'Send invitations', { 'Email addresses': emails, role: 'BILLING' })
  expect([kept.status, kept.root.querySelector('h1')?.text]).toEqual([403, 'Your changes are not saved yet'])
  const link = kept.root.querySelector('main a.button')
  expect(link?.getAttribute('target')).toBe('_blank')
  await signInAs(browser, await browser.open(link?.getAttribute('href') ?? ''), user)
  const again = await browser.press(kept, 'Continue')
  expect([alertOf(again), again.root.querySelector('#field-emails')?.text]).toEqual([outOfDate, emails])
  expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(0)
  await browser.press(again, 'Send invitations')
  expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(99)
})
