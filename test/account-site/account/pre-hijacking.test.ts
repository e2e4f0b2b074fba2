import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import type { Page } from '../../support/browser/browser.ts'
import { lastLink } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'
import { alertOf, contentOf, enter, heading, noticeOf, openAs, tokenValueOn } from '../../support/account-site/page-content.ts'

// Account pre-hijacking (Sudhodanan and Paverd, 2022): an attacker creates an account with the address of the victim, or
// has access to it for some time. The attacker must lose all access once the owner of the address takes the account over.

const service = useService({ secretKey })
const { database, url } = service
const { prisma } = database
const newPassword = 'a long and new password'
const newAddress = () => `${unique('new')}@example.test`
// The activity is recorded in the background.
const findUser = (id: string) => prisma.user.findUniqueOrThrow({ where: { id }, omit: { lastActiveAt: true } })
const openLink = async (browser: Browser, userId: string) => browser.open(`/links/${await lastLink(service, userId)}`)

/** Returns the path of a sign-in page and the path that it returns to. */
const signInTarget = ({ url: { pathname, searchParams } }: Page) => [pathname, searchParams.get('return_to')]

test('an account created by an attacker is not verified by its mail link alone, and a password reset ends the access of the attacker', async () => {
  const email = newAddress()
  const attacker = new Browser(url)
  const form = await attacker.open('/sign-up')
  await attacker.press(form, 'Create account', { Name: 'Eve', 'Email address': email, Password: password })
  const tokenForm = await enter(attacker, { email }, '/tokens/new')
  const token = tokenValueOn(await attacker.press(tokenForm, 'Create token', { Name: 'kept', scopes: ['teams'] }))
  const listTeams = () => request(service, 'GET', '/api/v1/teams', { token })
  expect((await listTeams()).status).toBe(200)

  const account = await prisma.user.findUniqueOrThrow({ where: { email }, omit: { lastActiveAt: true } })
  // The attacker has connected an account of their own at a public provider.
  const identity = { userId: account.id, social: 'github', subject: account.id, lastSignInAt: new Date() } as const
  await prisma.externalIdentity.create({ data: identity })
  const victim = new Browser(url)
  const landing = await openLink(victim, account.id)
  expect([...heading(landing), ...signInTarget(landing)]).toEqual([200, 'Sign in', '/sign-in', '/verify-email'])
  // Sending the form directly does not verify the address either.
  const csrf = landing.root.querySelector('input[name=csrf]')?.getAttribute('value') ?? ''
  const response = await victim.send(landing, '/verify-email', new URLSearchParams({ form: 'verify', csrf }))
  expect(signInTarget(response)).toEqual(['/sign-in', '/verify-email'])
  expect(await findUser(account.id)).toEqual(account)

  await victim.press(await victim.open('/forgotten-password'), 'Send reset link', { 'Email address': email })
  const accountPage = await victim.press(await openLink(victim, account.id), 'Change password', { 'New password': newPassword })
  expect([accountPage.status, (await findUser(account.id)).emailVerified]).toEqual([200, true])
  const refused = await listTeams()
  expect([refused.status, refused.body]).toEqual([
    401,
    { code: 'unauthenticated', message: 'Unauthenticated.', request_id: expect.any(String) },
  ])
  expect(signInTarget(await attacker.open('/account'))).toEqual(['/sign-in', '/account'])
  expect(await prisma.externalIdentity.count({ where: { userId: account.id } })).toBe(0)
  expect(alertOf(await enter(attacker, { email }))[0]).toBe(422)
})

test('the link of a sign-up by an attacker neither signs in nor verifies in a browser in which the owner of the address signed up later', async () => {
  const email = newAddress()
  const signUpWith = async (browser: Browser, entered: string) =>
    browser.press(await browser.open('/sign-up'), 'Create account', { Name: 'Eve', 'Email address': email, Password: entered })
  const [attacker, victim] = [new Browser(url), new Browser(url)]
  await signUpWith(attacker, password)
  const { id } = await prisma.user.findUniqueOrThrow({ where: { email } })
  const secret = await lastLink(service, id)
  await signUpWith(victim, newPassword)
  expect(signInTarget(await victim.open(`/links/${secret}`))).toEqual(['/sign-in', '/verify-email'])
  expect([(await findUser(id)).emailVerified, await prisma.session.count({ where: { userId: id } })]).toEqual([false, 0])
  // The owner of the address takes the account over with the other email.
  expect(heading(await openLink(victim, id))).toEqual([200, 'Choose a new password'])
})

describe('a mail link of another account', () => {
  const mismatchText = 'This link belongs to another account You are signed in as '

  /** Creates a user with a link that verifies the current address and a link that changes it. */
  async function withLinks() {
    const { lastActiveAt: _, ...user } = await createPerson(database, { emailVerified: false })
    const { browser, page } = await openAs(service, user, '/account/email')
    await browser.press(page, 'Send the email again')
    const verify = await lastLink(service, user.id)
    await browser.press(await browser.open('/account/email'), 'Send confirmation link', { 'New email address': newAddress() })
    return { user, browser, verify, change: await lastLink(service, user.id) }
  }

  test.each([
    ['verify', 'Verify your email address'],
    ['change', 'Confirm your new email address'],
  ] as const)('to %s an address does nothing in the session of a different user', async (kind, title) => {
    const [owner, other] = [await withLinks(), await withLinks()]
    const openForm = await other.browser.open(`/links/${other.change}`)
    const landing = await other.browser.open(`/links/${owner[kind]}`)
    expect([...heading(landing), contentOf(landing)]).toEqual([200, title, expect.stringContaining(`${title} ${mismatchText}`)])
    // A form for the user's own link that is open in another tab would now submit the link of the other account.
    if (kind === 'change')
      expect(heading(await other.browser.press(openForm, 'Confirm email address'))).toEqual([403, 'This form has expired'])
    expect([await findUser(owner.user.id), await findUser(other.user.id)]).toEqual([owner.user, other.user])
  })

  test('works after the user signs in to the right account', async () => {
    const { user, verify } = await withLinks()
    const { browser } = await openAs(service, await createPerson(database), '/account')
    const refused = await browser.open(`/links/${verify}`)
    const signIn = await browser.open(refused.root.querySelector('main a.button')?.getAttribute('href') ?? '')
    const landing = await browser.press(signIn, 'Sign in', { 'Email address': user.email, Password: password })
    expect(noticeOf(landing)).toEqual([200, `Your email address ${user.email} is verified.`])
    expect((await findUser(user.id)).emailVerified).toBe(true)
  })
})

describe('an email change requested by an intruder is cancelled', () => {
  const requestAsIntruder = async () => {
    const owner = await createPerson(database)
    const { browser, page } = await openAs(service, owner, '/account/email')
    await browser.press(page, 'Send confirmation link', { 'New email address': newAddress() })
    return { owner, intruder: browser, secret: await lastLink(service, owner.id) }
  }

  test('when the owner changes the password', async () => {
    const { owner, intruder, secret } = await requestAsIntruder()
    const landing = await intruder.open(`/links/${secret}`)
    const { browser, page } = await openAs(service, owner, '/account/password')
    await browser.press(page, 'Change password', { 'New password': newPassword })
    expect(signInTarget(await intruder.press(landing, 'Confirm email address'))).toEqual(['/sign-in', '/change-email'])
    // The link has ended for a valid session of the account too.
    expect((await browser.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
    expect((await findUser(owner.id)).email).toBe(owner.email)
  })

  test('when the owner resets a forgotten password', async () => {
    const { owner, intruder, secret } = await requestAsIntruder()
    const browser = new Browser(url)
    await browser.press(await browser.open('/forgotten-password'), 'Send reset link', { 'Email address': owner.email })
    await browser.press(await openLink(browser, owner.id), 'Change password', { 'New password': newPassword })
    expect((await intruder.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
    expect((await findUser(owner.id)).email).toBe(owner.email)
  })
})
