import { expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { lastLink } from '../support/links.ts'
import { createPerson } from '../support/oauth.ts'
import { secretKey } from '../support/pace.ts'
import { startService } from '../support/service.ts'
import { unique } from '../support/team.ts'
import { alertOf, heading, noticeOf, openAs } from './shown.ts'

const service = await startService({ secretKey })
const { database } = service
const { prisma } = database
const newAddress = () => `${unique('new')}@example.test`

test('a new address asked for six times within an hour is refused, and the link of the fifth mail still works', async () => {
  const user = await createPerson(database)
  const { browser, page } = await openAs(service, user, '/account/email')
  const ask = () => browser.press(page, 'Send the mail', { 'New email address': newAddress() })
  for (let count = 0; count < 5; count++) expect((await ask()).status).toBe(200)
  const refused = await ask()
  expect([...alertOf(refused), refused.headers.get('retry-after')]).toEqual([
    429,
    'Too Many Attempts.',
    expect.stringMatching(/^3[56]\d\d$/),
  ])
  expect(await prisma.mailLink.count({ where: { userId: user.id } })).toBe(5)
  expect((await browser.open(`/links/${await lastLink(service, user.id)}`)).url.pathname).toBe('/change-email')
})

test('the mail that verifies an address is sent five times within an hour; the person who asks again is told', async () => {
  const user = await createPerson(database, { emailVerified: false })
  const { browser, page } = await openAs(service, user, '/account')
  for (let count = 0; count < 5; count++)
    expect(noticeOf(await browser.press(page, 'Send the mail again'))).toEqual([200, 'A mail is on its way. Open the link in it.'])
  expect(alertOf(await browser.press(page, 'Send the mail again'))).toEqual([429, 'Too Many Attempts.'])
  expect(await prisma.mailLink.count({ where: { userId: user.id } })).toBe(5)
  // Nor may it tell who is signed in whether another's mails are spent.
  const other = await createPerson(database)
  for (let count = 0; count < 6; count++) {
    const asked = await browser.press(await browser.open('/forgotten-password'), 'Send the mail', { 'Email address': other.email })
    expect(heading(asked)).toEqual([200, 'Look into your mailbox'])
  }
  expect(await prisma.mailLink.count({ where: { userId: other.id } })).toBe(5)
})

test('the third who signs up or asks from an address waits, and so does the third wrong link', async () => {
  const limited = await startService({ secretKey, rateLimitSignUp: 2, rateLimitLink: 2 })
  const browser = new Browser(limited.url)
  const signUp = async () => {
    const typed = { Name: 'Grace', 'Email address': newAddress(), Password: 'a long and new password' }
    return browser.press(await browser.open('/sign-up'), 'Create the account', typed)
  }
  await signUp()
  const forgotten = await browser.open('/forgotten-password')
  await browser.press(forgotten, 'Send the mail', { 'Email address': newAddress() })
  const late = await browser.press(forgotten, 'Send the mail', { 'Email address': newAddress() })
  expect([...alertOf(late), late.headers.get('retry-after')]).toEqual([
    429,
    'Too many attempts. Try again in 15 minutes.',
    expect.stringMatching(/^[89]\d\d$/),
  ])
  expect((await signUp()).status).toBe(429)

  const person = await createPerson(limited.database)
  await limited.database.prisma.guessCount.deleteMany()
  await browser.press(forgotten, 'Send the mail', { 'Email address': person.email })
  const secret = await lastLink(limited, person.id)
  for (let wrong = 0; wrong < 2; wrong++) {
    // A right one is no guess, however often it is opened.
    expect((await browser.open(`/links/${secret}`)).url.pathname).toBe('/reset-password')
    expect(heading(await browser.open('/links/wrong'))).toEqual([200, 'This link no longer works'])
  }
  const refused = await browser.open(`/links/${secret}`)
  expect([...heading(refused), Number(refused.headers.get('retry-after')) > 500]).toEqual([429, 'Too many attempts', true])
})
