import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { addPasskey } from '../../support/data/second-factor.ts'
import { startService, useService } from '../../support/service/service.ts'
import { personalToken, unique } from '../../support/data/team.ts'
import { createUserWithTotp } from '../../support/account-site/trusted-browser.ts'
import { alertOf, contentOf, enter, heading, noticeOf } from '../../support/account-site/page-content.ts'

const service = useService({ secretKey })
const { database, clock } = service
const { prisma } = database
const changed = 'Your password was changed. All other browsers were signed out.'
const newPassword = 'a long and new password'

async function requestReset(email: string, browser = new Browser(service.url)) {
  const page = await browser.press(await browser.open('/forgotten-password'), 'Send reset link', { 'Email address': email })
  return { browser, page }
}
/** Creates a user, requests a password reset mail, and opens its link in a browser. */
async function openResetLink(data: Parameters<typeof createPerson>[1] = {}) {
  const user = await createPerson(database, data)
  const { browser } = await requestReset(user.email)
  const secret = await lastLink(service, user.id)
  return { user, browser, secret, page: await browser.open(`/links/${secret}`) }
}
const fields = { 'New password': newPassword }

describe('a password reset', () => {
  test('sets the new password, signs out every browser, and notifies the user by mail', async () => {
    const { user, browser, page, secret } = await openResetLink()
    const other = new Browser(service.url)
    expect((await enter(other, user)).url.pathname).toBe('/security')
    expect([page.url.href, ...heading(page)]).toEqual([`${service.url}/reset-password`, 200, 'Choose a new password'])
    expect(contentOf(page)).toContain(`For ${user.email} `)
    const done = await browser.press(page, 'Change password', fields)
    // The user is signed in with the new password.
    expect([done.url.pathname, ...heading(done), ...noticeOf(done)]).toEqual(['/account/teams', 200, 'Your teams', 200, changed])
    expect((await other.open('/security')).url.pathname).toBe('/sign-in')
    expect(service.mails).toContainEqual(expect.objectContaining({ kind: 'password-changed', userId: user.id }))
    expect(await prisma.session.count({ where: { userId: user.id } })).toBe(1)
    const signIn = async (entered: string) =>
      other.press(await other.open('/sign-in'), 'Sign in', { 'Email address': user.email, Password: entered })
    expect(alertOf(await signIn(password))).toEqual([422, 'The email address or password is incorrect.'])
    expect(heading(await signIn(newPassword))).toEqual([200, 'Your teams'])
    expect((await browser.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
  })

  test('requested for an active, a disabled or an unknown address shows the same page', async () => {
    const [user, disabled, unknown] = [await createPerson(database), await createPerson(database, { disabledAt: new Date() }), unique('x')]
    const emails = [user.email, disabled.email, `${unknown}@example.test`]
    const pages = await Promise.all(emails.map((email) => requestReset(email)))
    const contents = pages.map(({ page }, index) => [page.status, contentOf(page).replace(emails[index] ?? '', 'IT')])
    expect(contents).toEqual(
      emails.map(() => [
        200,
        'Check your email If IT has an account, we sent it a link to choose a new password. The link expires in an hour. No email? Check your spam folder, or try another email address .',
      ]),
    )
    expect(await prisma.mailLink.findMany({ where: { email: { in: emails } } })).toEqual([
      expect.objectContaining({ userId: user.id, kind: 'reset_password' }),
    ])
  })

  test('of an unverified account verifies the address, deletes the passkeys, and revokes the personal tokens', async () => {
    const user = await createPerson(database, { emailVerified: false })
    const principal = await sessionOf(service, user)
    await addPasskey({ service, principal })
    await personalToken(database, user)
    const { browser } = await requestReset(user.email)
    const page = await browser.open(`/links/${await lastLink(service, user.id)}`)
    await browser.press(page, 'Change password', fields)
    const after = await prisma.user.findUniqueOrThrow({ where: { id: user.id }, include: { passkeys: true, personalTokens: true } })
    expect(after).toMatchObject({ emailVerified: true, passkeys: [], personalTokens: [{ revokedAt: expect.any(Date) }] })
  })

  test('of a verified account keeps the passkeys and personal tokens', async () => {
    const { user, browser, page } = await openResetLink()
    await addPasskey({ service, principal: await sessionOf(service, user) })
    await personalToken(database, user)
    await browser.press(page, 'Change password', fields)
    const after = await prisma.user.findUniqueOrThrow({ where: { id: user.id }, include: { passkeys: true, personalTokens: true } })
    expect([after.passkeys.length, after.personalTokens.map(({ revokedAt }) => revokedAt)]).toEqual([1, [null]])
  })

  test('with an invalid password shows the error and leaves the link usable', async () => {
    const { user, browser, page } = await openResetLink()
    const refused = await browser.press(page, 'Change password', { 'New password': 'short' })
    expect(alertOf(refused)).toEqual([422, 'New password must be at least 8 characters.'])
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).passwordHash).toBe(user.passwordHash)
    expect((await browser.press(refused, 'Change password', fields)).url.pathname).toBe('/account/teams')
  })
})

describe('after a password reset', () => {
  test('the second factor is still requested', async () => {
    const { user, nextCode } = await createUserWithTotp(service)
    const { browser } = await requestReset(user.email)
    const page = await browser.press(await browser.open(`/links/${await lastLink(service, user.id)}`), 'Change password', fields)
    expect([page.url.pathname, ...noticeOf(page)]).toEqual(['/sign-in/second-factor', 200, changed])
    expect((await browser.open('/security')).url.pathname).toBe('/sign-in')
    expect(heading(await browser.press(page, 'Continue', { Code: nextCode() }))).toEqual([200, 'Your teams'])
  })

  test('the user signs in with the form if too many attempts came from the same IP address', async () => {
    const limited = await startService({ secretKey, rateLimitSignInAddress: 1 })
    const user = await createPerson(limited.database)
    const browser = new Browser(limited.url)
    const signIn = await browser.open('/sign-in')
    for (let count = 0; count < 2; count++)
      await browser.press(signIn, 'Sign in', { 'Email address': `${unique('nobody')}@example.test`, Password: 'wrong' })
    await browser.press(await browser.open('/forgotten-password'), 'Send reset link', { 'Email address': user.email })
    const page = await browser.press(await browser.open(`/links/${await lastLink(limited, user.id)}`), 'Change password', fields)
    expect([page.url.pathname, ...noticeOf(page)]).toEqual(['/sign-in', 200, `${changed} Sign in with the new password.`])
  })
})

describe('a password reset link changes nothing', () => {
  const submitAfter = async (invalidate: (reset: Awaited<ReturnType<typeof openResetLink>>) => Promise<unknown> | void) => {
    const reset = await openResetLink()
    await invalidate(reset)
    const before = await prisma.user.findUniqueOrThrow({ where: { id: reset.user.id } })
    const response = await reset.browser.press(reset.page, 'Change password', fields)
    expect(await prisma.user.findUniqueOrThrow({ where: { id: reset.user.id } })).toEqual(before)
    return [response.url.pathname, ...heading(response)]
  }
  const linkEnded = ['/link-ended', 200, 'This link is not valid']

  test('after a newer link is requested', async () => {
    expect(await submitAfter(({ user }) => requestReset(user.email))).toEqual(linkEnded)
  })
  test('after the account is disabled', async () => {
    const disable = ({ user: { id } }: { user: { id: string } }) => prisma.user.update({ where: { id }, data: { disabledAt: new Date() } })
    expect(await submitAfter(disable)).toEqual(linkEnded)
  })
  test('if the link was sent for another purpose', async () => {
    const { user } = await openResetLink()
    await prisma.mailLink.updateMany({ where: { userId: user.id }, data: { kind: 'verify_email' } })
    const browser = new Browser(service.url)
    const { url } = await browser.open(`/links/${await lastLink(service, user.id)}`)
    expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', '/verify-email'])
    expect((await browser.open('/reset-password')).url.pathname).toBe('/link-ended')
  })
  test('after one hour', async () => {
    expect(await submitAfter(() => clock.advance(3_600_000))).toEqual(linkEnded)
  })
})

test('only one of two browsers that submit the same reset link at once changes the password', async () => {
  const { user, secret } = await openResetLink()
  const attempts = await Promise.all(
    ['first', 'second'].map(async (which) => {
      const browser = new Browser(service.url)
      const page = await browser.open(`/links/${secret}`)
      return { browser, page, candidate: `the ${which} new password` }
    }),
  )
  const responses = await Promise.all(
    attempts.map(({ browser, page, candidate }) => browser.press(page, 'Change password', { 'New password': candidate })),
  )
  const paths = responses.map(({ url }) => url.pathname).toSorted()
  expect([paths[0], ['/link-ended', '/reset-password'].includes(paths[1] ?? '')]).toEqual(['/account/teams', true])
  expect(await prisma.mailLink.count({ where: { userId: user.id, usedAt: { not: null } } })).toBe(1)
})

test('at most five reset mails are sent to an address within an hour, and every response is the same', async () => {
  const user = await createPerson(database)
  const countLinks = () => prisma.mailLink.count({ where: { userId: user.id } })
  const pages = await Promise.all(Array.from({ length: 8 }, () => requestReset(user.email)))
  expect(new Set(pages.map(({ page }) => contentOf(page))).size).toBe(1)
  expect(await countLinks()).toBe(5)
  // The link of the last sent mail still works.
  expect((await new Browser(service.url).open(`/links/${await lastLink(service, user.id)}`)).url.pathname).toBe('/reset-password')
  clock.advance(3_600_000)
  await requestReset(user.email)
  expect(await countLinks()).toBe(6)
})

test('a password reset lets the owner sign in after wrong guesses of others have reached the attempt limit', async () => {
  const limited = await startService({ secretKey, rateLimitSignInAccount: 3 })
  const user = await createPerson(limited.database)
  const attacker = new Browser(limited.url)
  const signIn = async (password: string) =>
    attacker.press(await attacker.open('/sign-in'), 'Sign in', { 'Email address': user.email, Password: password })
  for (let count = 0; count < 4; count++) await signIn('wrong')
  expect((await signIn(password)).status).toBe(429)
  const owner = new Browser(limited.url)
  await owner.press(await owner.open('/forgotten-password'), 'Send reset link', { 'Email address': user.email })
  const page = await owner.open(`/links/${await lastLink(limited, user.id)}`)
  expect(heading(await owner.press(page, 'Change password', fields))).toEqual([200, 'Your teams'])
})
