import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import type { Page } from '../support/browser.ts'
import { lastLink } from '../support/links.ts'
import { createPerson, password } from '../support/oauth.ts'
import { secretKey } from '../support/pace.ts'
import { request } from '../support/request.ts'
import { startService } from '../support/service.ts'
import { unique } from '../support/team.ts'
import { alertOf, contentOf, enter, heading, noticeOf, openAs, tokenValueOn } from './shown.ts'

// Accounts that somebody else has prepared, or was in for a while, are their owner's alone in the end ("account
// pre-hijacking", Sudhodanan and Paverd, 2022).

const service = await startService({ secretKey })
const { database, url } = service
const { prisma } = database
const newPassword = 'a long and new password'
const newAddress = () => `${unique('new')}@example.test`
const stored = (id: string) => prisma.user.findUniqueOrThrow({ where: { id } })
const openLink = async (browser: Browser, userId: string) => browser.open(`/links/${await lastLink(service, userId)}`)

/** Where somebody is asked to sign in, and for which page. */
const askedFor = ({ url: { pathname, searchParams } }: Page) => [pathname, searchParams.get('return_to')]

test('an account made with the address of another is theirs alone once they choose a password; no link verifies it before', async () => {
  const email = newAddress()
  const attacker = new Browser(url)
  const form = await attacker.open('/sign-up')
  await attacker.press(form, 'Create the account', { Name: 'Eve', 'Email address': email, Password: password })
  const making = await enter(attacker, { email }, '/tokens/new')
  const token = tokenValueOn(await attacker.press(making, 'Create token', { Name: 'kept', scopes: ['teams'] }))
  const teams = () => request(service, 'GET', '/api/v1/teams', { token })
  expect((await teams()).status).toBe(200)

  const account = await prisma.user.findUniqueOrThrow({ where: { email } })
  const victim = new Browser(url)
  const landing = await openLink(victim, account.id)
  expect([...heading(landing), ...askedFor(landing)]).toEqual([200, 'Sign in', '/sign-in', '/verify-email'])
  // Nor by the form itself, sent past the page.
  const csrf = landing.root.querySelector('input[name=csrf]')?.getAttribute('value') ?? ''
  const sent = await victim.send(landing, '/verify-email', new URLSearchParams({ form: 'verify', csrf }))
  expect(askedFor(sent)).toEqual(['/sign-in', '/verify-email'])
  expect(await stored(account.id)).toEqual(account)

  await victim.press(await victim.open('/forgotten-password'), 'Send the mail', { 'Email address': email })
  const chosen = await victim.press(await openLink(victim, account.id), 'Change the password', { 'New password': newPassword })
  const inside = await victim.press(chosen, 'Sign in', { 'Email address': email, Password: newPassword })
  expect([inside.status, (await stored(account.id)).emailVerified]).toEqual([200, true])
  const refused = await teams()
  expect([refused.status, refused.body]).toEqual([
    401,
    { code: 'unauthenticated', message: 'Unauthenticated.', request_id: expect.any(String) },
  ])
  expect(askedFor(await attacker.open('/account'))).toEqual(['/sign-in', '/account'])
  expect(alertOf(await enter(attacker, { email }))[0]).toBe(422)
})

describe('the link of another account', () => {
  const said = 'You are signed in to another account than the one this link was made for. Sign in to that account'

  /** Somebody with a link that verifies their address, and another that gives them a new one. */
  async function withLinks() {
    const user = await createPerson(database, { emailVerified: false })
    const { browser, page } = await openAs(service, user, '/account')
    await browser.press(page, 'Send the mail again')
    const verify = await lastLink(service, user.id)
    await browser.press(await browser.open('/account/email'), 'Send the mail', { 'New email address': newAddress() })
    return { user, browser, verify, change: await lastLink(service, user.id) }
  }

  test.each([
    ['verify', 'Verify your email address', 'Verify the address'],
    ['change', 'Confirm your new email address', 'Confirm the address'],
  ] as const)('to %s an address does nothing, whoever is signed in', async (kind, title, button) => {
    const [owner, other] = [await withLinks(), await withLinks()]
    const open = await other.browser.open(`/links/${other[kind]}`)
    const landing = await other.browser.open(`/links/${owner[kind]}`)
    expect([...heading(landing), contentOf(landing)]).toEqual([200, title, `${title} ${said}`])
    // The form of their own link, left open in another tab, would now send that of the other.
    expect(heading(await other.browser.press(open, button))).toEqual([403, 'This form has expired'])
    expect([await stored(owner.user.id), await stored(other.user.id)]).toEqual([owner.user, other.user])
  })

  test('is kept for who signs in to the right one', async () => {
    const { user, verify } = await withLinks()
    const { browser } = await openAs(service, await createPerson(database), '/account')
    const refused = await browser.open(`/links/${verify}`)
    const signIn = await browser.open(refused.root.querySelector('main p a')?.getAttribute('href') ?? '')
    const landing = await browser.press(signIn, 'Sign in', { 'Email address': user.email, Password: password })
    expect(contentOf(landing)).toBe(
      `Verify your email address Your account has the address ${user.email} . Show that it is yours. Verify the address`,
    )
    expect(noticeOf(await browser.press(landing, 'Verify the address'))).toEqual([200, 'Your email address is verified.'])
    expect((await stored(user.id)).emailVerified).toBe(true)
  })
})

describe('a new address that an intruder asked for ends', () => {
  const intruded = async () => {
    const owner = await createPerson(database)
    const { browser, page } = await openAs(service, owner, '/account/email')
    await browser.press(page, 'Send the mail', { 'New email address': newAddress() })
    return { owner, intruder: browser, secret: await lastLink(service, owner.id) }
  }

  test('with a password that its owner changes', async () => {
    const { owner, intruder, secret } = await intruded()
    const landing = await intruder.open(`/links/${secret}`)
    const { browser, page } = await openAs(service, owner, '/account/password')
    await browser.press(page, 'Change the password', { 'New password': newPassword })
    expect(askedFor(await intruder.press(landing, 'Confirm the address'))).toEqual(['/sign-in', '/change-email'])
    // Even a session of the account, had one been left, would not help.
    expect((await browser.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
    expect((await stored(owner.id)).email).toBe(owner.email)
  })

  test('with a password that its owner had forgotten', async () => {
    const { owner, intruder, secret } = await intruded()
    const browser = new Browser(url)
    await browser.press(await browser.open('/forgotten-password'), 'Send the mail', { 'Email address': owner.email })
    await browser.press(await openLink(browser, owner.id), 'Change the password', { 'New password': newPassword })
    expect((await intruder.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
    expect((await stored(owner.id)).email).toBe(owner.email)
  })
})
