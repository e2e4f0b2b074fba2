import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { sessionOf } from '../support/in-process.ts'
import { lastLink } from '../support/links.ts'
import { createPerson, password } from '../support/oauth.ts'
import { secretKey } from '../support/pace.ts'
import { addPasskey } from '../support/second-factor.ts'
import { startService } from '../support/service.ts'
import { personalToken, unique } from '../support/team.ts'
import { alertOf, contentOf, enter, heading, noticeOf } from './shown.ts'

const service = await startService({ secretKey })
const { database, clock } = service
const { prisma } = database
const newPassword = 'a long and new password'

async function ask(email: string, browser = new Browser(service.url)) {
  const page = await browser.press(await browser.open('/forgotten-password'), 'Send the mail', { 'Email address': email })
  return { browser, page }
}
/** A person, in a browser that has opened the link of the mail. */
async function asked(data: Parameters<typeof createPerson>[1] = {}) {
  const user = await createPerson(database, data)
  const { browser } = await ask(user.email)
  const secret = await lastLink(service, user.id)
  return { user, browser, secret, page: await browser.open(`/links/${secret}`) }
}
const change = { 'New password': newPassword }

describe('somebody who forgot their password', () => {
  test('chooses a new one by the link of a mail, is signed out everywhere, and told', async () => {
    const { user, browser, page, secret } = await asked()
    const other = new Browser(service.url)
    expect((await enter(other, user)).url.pathname).toBe('/security')
    expect([page.url.href, ...heading(page)]).toEqual([`${service.url}/reset-password`, 200, 'Choose a new password'])
    expect(contentOf(page)).toContain(`For the account of ${user.email} .`)
    const done = await browser.press(page, 'Change the password', change)
    expect([done.url.pathname, ...noticeOf(done)]).toEqual(['/sign-in', 200, 'Your password was changed. Sign in with the new one.'])
    expect((await other.open('/security')).url.pathname).toBe('/sign-in')
    expect(service.mails.at(-1)).toEqual({ kind: 'password-changed', userId: user.id, at: expect.any(String) })
    const old = await browser.press(done, 'Sign in', { 'Email address': user.email, Password: password })
    expect(alertOf(old)).toEqual([422, 'The email address or password is not right.'])
    const inside = await browser.press(old, 'Sign in', { 'Email address': user.email, Password: newPassword })
    expect(heading(inside)).toEqual([200, 'Your account'])
    expect((await browser.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
  })

  test('is told the same whether the address has an account', async () => {
    const [user, disabled, unknown] = [await createPerson(database), await createPerson(database, { disabledAt: new Date() }), unique('x')]
    const emails = [user.email, disabled.email, `${unknown}@example.test`]
    const pages = await Promise.all(emails.map((email) => ask(email)))
    const told = pages.map(({ page }, index) => [page.status, contentOf(page).replace(emails[index] ?? '', 'IT')])
    expect(told).toEqual(
      emails.map(() => [
        200,
        'Look into your mailbox If IT is the address of an account, a mail is on its way. Nothing came? Look among the unwanted mails, or try another address .',
      ]),
    )
    expect(await prisma.mailLink.findMany({ where: { email: { in: emails } } })).toEqual([
      expect.objectContaining({ userId: user.id, kind: 'reset_password' }),
    ])
  })

  test('whose account had never been verified owns it alone: what another may have put there is gone', async () => {
    const user = await createPerson(database, { emailVerified: false })
    const as = await sessionOf(service, user)
    await addPasskey({ service, as })
    await personalToken(database, user)
    const { browser } = await ask(user.email)
    const page = await browser.open(`/links/${await lastLink(service, user.id)}`)
    await browser.press(page, 'Change the password', change)
    const after = await prisma.user.findUniqueOrThrow({ where: { id: user.id }, include: { passkeys: true, personalTokens: true } })
    expect(after).toMatchObject({ emailVerified: true, passkeys: [], personalTokens: [{ revokedAt: expect.any(Date) }] })
  })

  test('keeps what they had where the address was theirs', async () => {
    const { user, browser, page } = await asked()
    await addPasskey({ service, as: await sessionOf(service, user) })
    await personalToken(database, user)
    await browser.press(page, 'Change the password', change)
    const after = await prisma.user.findUniqueOrThrow({ where: { id: user.id }, include: { passkeys: true, personalTokens: true } })
    expect([after.passkeys.length, after.personalTokens.map(({ revokedAt }) => revokedAt)]).toEqual([1, [null]])
  })

  test('is told what is wrong with the new one, and keeps the link', async () => {
    const { user, browser, page } = await asked()
    const refused = await browser.press(page, 'Change the password', { 'New password': 'short' })
    expect(alertOf(refused)).toEqual([422, 'The password field must be at least 8 characters.'])
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).passwordHash).toBe(user.passwordHash)
    expect((await browser.press(refused, 'Change the password', change)).url.pathname).toBe('/sign-in')
  })
})

describe('a link changes nothing', () => {
  const afterwards = async (spoil: (given: Awaited<ReturnType<typeof asked>>) => Promise<unknown> | void) => {
    const given = await asked()
    await spoil(given)
    const before = await prisma.user.findUniqueOrThrow({ where: { id: given.user.id } })
    const sent = await given.browser.press(given.page, 'Change the password', change)
    expect(await prisma.user.findUniqueOrThrow({ where: { id: given.user.id } })).toEqual(before)
    return [sent.url.pathname, ...heading(sent)]
  }
  const ended = ['/link-ended', 200, 'This link no longer works']

  test('when a newer one was asked for', async () => {
    expect(await afterwards(({ user }) => ask(user.email))).toEqual(ended)
  })
  test('of an account that was disabled', async () => {
    const disable = ({ user: { id } }: { user: { id: string } }) => prisma.user.update({ where: { id }, data: { disabledAt: new Date() } })
    expect(await afterwards(disable)).toEqual(ended)
  })
  test('of another kind', async () => {
    const { user } = await asked()
    await prisma.mailLink.updateMany({ where: { userId: user.id }, data: { kind: 'verify_email' } })
    const browser = new Browser(service.url)
    const { url } = await browser.open(`/links/${await lastLink(service, user.id)}`)
    expect([url.pathname, url.searchParams.get('return_to')]).toEqual(['/sign-in', '/verify-email'])
    expect((await browser.open('/reset-password')).url.pathname).toBe('/link-ended')
  })
  test('once its hour is over', async () => {
    expect(await afterwards(() => clock.advance(3_600_000))).toEqual(ended)
  })
})

test('of two browsers with one link at once, one changes the password', async () => {
  const { user, secret } = await asked()
  const both = await Promise.all(
    ['first', 'second'].map(async (which) => {
      const browser = new Browser(service.url)
      const page = await browser.open(`/links/${secret}`)
      return { browser, page, chosen: `the ${which} new password` }
    }),
  )
  const ends = await Promise.all(
    both.map(({ browser, page, chosen }) => browser.press(page, 'Change the password', { 'New password': chosen })),
  )
  const paths = ends.map(({ url }) => url.pathname).toSorted()
  expect([paths[1], ['/link-ended', '/reset-password'].includes(paths[0] ?? '')]).toEqual(['/sign-in', true])
  expect(await prisma.mailLink.count({ where: { userId: user.id, usedAt: { not: null } } })).toBe(1)
})

test('five mails an hour are sent to an address, and no answer tells', async () => {
  const user = await createPerson(database)
  const made = () => prisma.mailLink.count({ where: { userId: user.id } })
  const pages = await Promise.all(Array.from({ length: 8 }, () => ask(user.email)))
  expect(new Set(pages.map(({ page }) => contentOf(page))).size).toBe(1)
  expect(await made()).toBe(5)
  // The last one that was sent still works.
  expect((await new Browser(service.url).open(`/links/${await lastLink(service, user.id)}`)).url.pathname).toBe('/reset-password')
  clock.advance(3_600_000)
  await ask(user.email)
  expect(await made()).toBe(6)
})

test('who was kept out by the guesses of others is in again with a new password', async () => {
  const guessed = await startService({ secretKey, rateLimitSignInAccount: 3 })
  const user = await createPerson(guessed.database)
  const guesser = new Browser(guessed.url)
  const guess = async (password: string) =>
    guesser.press(await guesser.open('/sign-in'), 'Sign in', { 'Email address': user.email, Password: password })
  for (let wrong = 0; wrong < 4; wrong++) await guess('wrong')
  expect((await guess(password)).status).toBe(429)
  const owner = new Browser(guessed.url)
  await owner.press(await owner.open('/forgotten-password'), 'Send the mail', { 'Email address': user.email })
  const page = await owner.open(`/links/${await lastLink(guessed, user.id)}`)
  const done = await owner.press(page, 'Change the password', change)
  expect(heading(await owner.press(done, 'Sign in', { 'Email address': user.email, Password: newPassword }))).toEqual([200, 'Your account'])
})
