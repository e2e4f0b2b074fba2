import { expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { startService, useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'
import { alertOf, heading, noticeOf, openAs } from '../../support/account-site/page-content.ts'

const service = useService({ secretKey })
const { database } = service
const { prisma } = database
const newAddress = () => `${unique('new')}@example.test`

test('the sixth email change requested within an hour is refused, and the link of the fifth mail still works', async () => {
  const user = await createPerson(database)
  const { browser, page } = await openAs(service, user, '/account/email')
  const requestChange = () => browser.press(page, 'Send confirmation link', { 'New email address': newAddress() })
  for (let count = 0; count < 5; count++) expect((await requestChange()).status).toBe(200)
  const refused = await requestChange()
  expect([...alertOf(refused), refused.headers.get('retry-after')]).toEqual([
    429,
    expect.stringMatching(/^Too many attempts\. Try again in \d+ minutes\.$/),
    expect.stringMatching(/^3[56]\d\d$/),
  ])
  expect(await prisma.mailLink.count({ where: { userId: user.id } })).toBe(5)
  expect((await browser.open(`/links/${await lastLink(service, user.id)}`)).url.pathname).toBe('/change-email')
})

test('the eleventh email change requested within a day is refused', async () => {
  const user = await createPerson(database)
  const { browser, page } = await openAs(service, user, '/account/email')
  const requestChange = () => browser.press(page, 'Send confirmation link', { 'New email address': newAddress() })
  const hour = 3_600_000
  for (let count = 0; count < 10; count++) {
    if (count === 5) service.clock.advance(hour)
    // A session confirms the password after a while.
    await prisma.session.updateMany({ where: { userId: user.id }, data: { authenticatedAt: service.clock.now() } })
    expect((await requestChange()).status).toBe(200)
  }
  service.clock.advance(hour)
  await prisma.session.updateMany({ where: { userId: user.id }, data: { authenticatedAt: service.clock.now() } })
  const refused = await requestChange()
  expect([...alertOf(refused), refused.headers.get('retry-after')]).toEqual([
    429,
    expect.stringMatching(/^Too many attempts\. Try again in 22 hours\.$/),
    expect.stringMatching(/^79\d\d\d$/),
  ])
  expect(await prisma.mailLink.count({ where: { userId: user.id } })).toBe(10)
})

test('at most five verification mails are sent within an hour, and only the signed-in user sees that the limit is reached', async () => {
  const user = await createPerson(database, { emailVerified: false })
  const { browser, page } = await openAs(service, user, '/account/email')
  for (let count = 0; count < 5; count++)
    expect(noticeOf(await browser.press(page, 'Send the email again'))).toEqual([
      200,
      `We sent an email to ${user.email}. Open the link in it to verify your email address.`,
    ])
  expect(alertOf(await browser.press(page, 'Send the email again'))).toEqual([
    429,
    expect.stringMatching(/^Too many attempts\. Try again in \d+ minutes\.$/),
  ])
  expect(await prisma.mailLink.count({ where: { userId: user.id } })).toBe(5)
  // The forgotten-password form must not reveal that another user has reached the mail limit.
  const other = await createPerson(database)
  for (let count = 0; count < 6; count++) {
    const response = await browser.press(await browser.open('/forgotten-password'), 'Send reset link', { 'Email address': other.email })
    expect(heading(response)).toEqual([200, 'Check your email'])
  }
  expect(await prisma.mailLink.count({ where: { userId: other.id } })).toBe(5)
})

test('sign-ups, mail requests and wrong links from one IP address are refused with 429 beyond their limits', async () => {
  const limited = await startService({ secretKey, rateLimitSignUp: 2, rateLimitLink: 2 })
  const browser = new Browser(limited.url)
  const signUp = async () => {
    const fields = { Name: 'Grace', 'Email address': newAddress(), Password: 'a long and new password' }
    return browser.press(await browser.open('/sign-up'), 'Create account', fields)
  }
  await signUp()
  const forgotten = await browser.open('/forgotten-password')
  await browser.press(forgotten, 'Send reset link', { 'Email address': newAddress() })
  const throttled = await browser.press(forgotten, 'Send reset link', { 'Email address': newAddress() })
  expect([...alertOf(throttled), throttled.headers.get('retry-after')]).toEqual([
    429,
    'Too many attempts. Try again in 15 minutes.',
    expect.stringMatching(/^[89]\d\d$/),
  ])
  expect((await signUp()).status).toBe(429)

  const person = await createPerson(limited.database)
  await limited.database.prisma.attemptCount.deleteMany()
  await browser.press(forgotten, 'Send reset link', { 'Email address': person.email })
  const secret = await lastLink(limited, person.id)
  for (let attempt = 0; attempt < 2; attempt++) {
    // Opening a valid link does not count as an attempt.
    expect((await browser.open(`/links/${secret}`)).url.pathname).toBe('/reset-password')
    expect(heading(await browser.open('/links/wrong'))).toEqual([200, 'This link is not valid'])
  }
  const refused = await browser.open(`/links/${secret}`)
  expect([...heading(refused), Number(refused.headers.get('retry-after')) > 500]).toEqual([429, 'Too many attempts', true])
})
