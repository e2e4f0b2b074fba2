import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { createInvitedGuest } from '../../support/data/invitation.ts'
import { lastLink, lastSecret } from '../../support/mail/links.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { useService } from '../../support/service/service.ts'
import { unique } from '../../support/data/team.ts'
import { alertOf, contentOf, heading, noticeOf } from '../../support/account-site/page-content.ts'

const service = useService({ secretKey })
const { prisma } = service.database

const newPassword = 'a long and new password'
const fieldsFor = (email: string) => ({ Name: 'Grace', 'Email address': email, Password: newPassword })
const newAddress = () => `${unique('new')}@example.test`

async function signUp(email: string, browser = new Browser(service.url)) {
  const page = await browser.press(await browser.open('/sign-up'), 'Create account', fieldsFor(email))
  return { browser, page }
}
const findAccount = (email: string) => prisma.user.findUniqueOrThrow({ where: { email } })
const findMailKinds = async (email: string) => {
  const links = await prisma.mailLink.findMany({ where: { email } })
  return service.mails.flatMap((mail) => ('linkId' in mail && links.some(({ id }) => id === mail.linkId) ? [mail.kind] : []))
}
const mailSentText = (email: string) =>
  `Check your email We sent an email to ${email} . Open the link in it to verify your address. If the address already has an account, the email says so, and nothing was changed. Sign in`

describe('a sign-up', () => {
  test('verifies the address when the signed-in user confirms the mail link, which GET requests do not use up', async () => {
    const email = newAddress()
    const { browser, page } = await signUp(` ${email.toUpperCase()} `)
    expect([page.status, contentOf(page)]).toEqual([200, mailSentText(email)])
    const { id, name, emailVerified } = await findAccount(email)
    expect([name, emailVerified, await findMailKinds(email)]).toEqual(['Grace', false, ['verify-email']])
    const secret = await lastLink(service, id)
    for (let count = 0; count < 3; count++) await new Browser(service.url).open(`/links/${secret}`)
    const landing = await browser.open(`/links/${secret}`)
    expect([landing.url.href, ...heading(landing)]).toEqual([`${service.url}/sign-in?return_to=%2Fverify-email`, 200, 'Sign in'])
    expect(landing.text).not.toContain(secret)
    const verifyPage = await browser.press(landing, 'Sign in', { 'Email address': email, Password: newPassword })
    expect([verifyPage.url.href, ...heading(verifyPage)]).toEqual([`${service.url}/verify-email`, 200, 'Verify your email address'])
    expect(contentOf(verifyPage)).toBe(`Verify your email address Confirm that ${email} is your address. Verify email address`)
    expect((await findAccount(email)).emailVerified).toBe(false)
    const accountPage = await browser.press(verifyPage, 'Verify email address')
    expect([accountPage.url.pathname, ...noticeOf(accountPage)]).toEqual(['/account', 200, `Your email address ${email} is verified.`])
    expect(contentOf(accountPage)).toContain(`${email} (verified)`)
    expect((await findAccount(email)).emailVerified).toBe(true)
    expect((await browser.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
    expect((await browser.open('/verify-email')).url.pathname).toBe('/link-ended')
  })

  test('with the address of an existing account shows the same page, changes nothing, and mails the owner', async () => {
    const owner = await createPerson(service.database)
    const { page } = await signUp(owner.email)
    expect([page.status, contentOf(page)]).toEqual([200, mailSentText(owner.email)])
    expect(await findAccount(owner.email)).toEqual(owner)
    expect(await findMailKinds(owner.email)).toEqual(['account-exists'])
  })

  test('with the address of a disabled account shows the same page and sends no mail', async () => {
    const { email } = await createPerson(service.database, { disabledAt: new Date() })
    const { page } = await signUp(email)
    expect([page.status, contentOf(page), await findMailKinds(email)]).toEqual([200, mailSentText(email), []])
  })

  test('lets the user sign in before verification, shows the address as not verified, and can send the mail again', async () => {
    const email = newAddress()
    const { browser, page } = await signUp(email)
    const first = await lastLink(service, (await findAccount(email)).id)
    const signIn = await browser.open(page.root.querySelector('main a')?.getAttribute('href') ?? '')
    const accountPage = await browser.press(signIn, 'Sign in', { 'Email address': email, Password: newPassword })
    expect([accountPage.url.pathname, contentOf(accountPage)]).toEqual(['/account', expect.stringContaining(`${email} (not verified)`)])
    const again = await browser.press(accountPage, 'Send the email again')
    expect(noticeOf(again)).toEqual([200, `We sent an email to ${email}. Open the link in it to verify your address.`])
    expect((await browser.open(`/links/${first}`)).url.pathname).toBe('/link-ended')
    const landing = await browser.open(`/links/${await lastLink(service, (await findAccount(email)).id)}`)
    expect(noticeOf(await browser.press(landing, 'Verify email address'))).toEqual([200, `Your email address ${email} is verified.`])
  })

  test('through an invitation link verifies the invited address without another mail', async () => {
    const { guest, email, invitation, team } = await createInvitedGuest(service)
    await prisma.user.delete({ where: { id: guest.id } })
    const browser = new Browser(service.url)
    await browser.open(`/invitations/${lastSecret(service, invitation.id)}`)
    const { page } = await signUp(email, browser)
    expect([page.url.pathname, ...noticeOf(page)]).toEqual([
      '/sign-in',
      200,
      'Sign in to continue. If you already had an account, nothing was changed; check your email.',
    ])
    expect([(await findAccount(email)).emailVerified, await findMailKinds(email)]).toEqual([true, []])
    const invited = await browser.press(page, 'Sign in', { 'Email address': email, Password: newPassword })
    expect((await browser.press(invited, 'Join team')).url.pathname).toContain(`/teams/${team.slug}`)
  })

  test('through an invitation to another address still requires verification of the own address', async () => {
    const { invitation } = await createInvitedGuest(service)
    const browser = new Browser(service.url)
    await browser.open(`/invitations/${lastSecret(service, invitation.id)}`)
    const email = newAddress()
    const { page } = await signUp(email, browser)
    expect(contentOf(page)).toBe(mailSentText(email))
    expect([(await findAccount(email)).emailVerified, await findMailKinds(email)]).toEqual([false, ['verify-email']])
    // The link leads to the sign-in page, then to verification, and then back to the invitation.
    const signIn = await browser.open(`/links/${await lastLink(service, (await findAccount(email)).id)}`)
    const verifyPage = await browser.press(signIn, 'Sign in', { 'Email address': email, Password: newPassword })
    const done = await browser.press(verifyPage, 'Verify email address')
    expect([done.url.pathname, ...noticeOf(done)]).toEqual(['/invitation', 200, `Your email address ${email} is verified.`])
  })

  test.each([
    [{ Name: ' ' }, 'name', 'Enter a name.'],
    [{ Name: 'x'.repeat(256) }, 'name', 'Name must be at most 255 characters.'],
    [{ 'Email address': 'grace' }, 'email', 'Enter a valid email address.'],
    [{ Password: 'short' }, 'password', 'Password must be at least 8 characters.'],
    [{ Password: 'Password1' }, 'password', 'Password is easy to guess. Choose a longer one, for example several unrelated words.'],
    [{ Name: 'a\0' }, 'name', 'Name contains characters that cannot be stored.'],
  ])('with invalid input (%j) shows the error at the field and creates no account', async (invalid, field, message) => {
    const users = await prisma.user.count()
    const email = newAddress()
    const browser = new Browser(service.url)
    const page = await browser.press(await browser.open('/sign-up'), 'Create account', { ...fieldsFor(email), ...invalid })
    expect([...alertOf(page), page.root.querySelector(`#field-${field}-wrong`)?.text]).toEqual([422, message, message])
    expect(page.root.querySelector('input[name=password]')?.getAttribute('value')).toBeUndefined()
    expect(await prisma.user.count()).toBe(users)
  })

  test('returns to the requested page only if that page has the same origin', async () => {
    const browser = new Browser(service.url)
    const from = async (path: string) => {
      const page = await browser.press(await browser.open(path), 'Create account', fieldsFor(newAddress()))
      return page.root.querySelector('main a')?.getAttribute('href')
    }
    expect(await from('/sign-up?return_to=%2Fteams%2Fnew')).toBe('/sign-in?return_to=%2Fteams%2Fnew')
    expect(await from('/sign-up?return_to=https%3A%2F%2Fevil.example')).toBe('/sign-in?return_to=%2F')
  })
})

describe('an invitation-only sign-up', () => {
  const invitationOnly = useService({ secretKey, signUp: 'invited' })
  const invitationRequired = [
    422,
    'You need an invitation to create an account. Open the link in the invitation email and use the address it was sent to.',
  ]

  test('is refused without an invitation, and after the invitation is revoked', async () => {
    const browser = new Browser(invitationOnly.url)
    const page = await browser.open('/sign-up')
    expect(contentOf(page)).toContain('You need an invitation to create an account.')
    expect(page.root.querySelector('main form')).toBeNull()
    const { guest, email, invitation } = await createInvitedGuest(invitationOnly)
    await invitationOnly.database.prisma.user.delete({ where: { id: guest.id } })
    await browser.open(`/invitations/${lastSecret(invitationOnly, invitation.id)}`)
    const stalePage = await browser.open('/sign-up')
    await invitationOnly.database.prisma.invitation.update({ where: { id: invitation.id }, data: { status: 'revoked' } })
    expect(alertOf(await browser.press(stalePage, 'Create account', fieldsFor(email)))).toEqual(invitationRequired)
    expect(await invitationOnly.database.prisma.user.count({ where: { email } })).toBe(0)
  })

  test('accepts only the address that the invitation was sent to', async () => {
    const { guest, email, invitation } = await createInvitedGuest(invitationOnly)
    await invitationOnly.database.prisma.user.delete({ where: { id: guest.id } })
    const browser = new Browser(invitationOnly.url)
    await browser.open(`/invitations/${lastSecret(invitationOnly, invitation.id)}`)
    const page = await browser.open('/sign-up')
    expect(page.root.querySelector('input[name=email]')?.getAttribute('value')).toBe(email)
    const refused = await browser.press(page, 'Create account', fieldsFor(newAddress()))
    expect(alertOf(refused)).toEqual(invitationRequired)
    expect((await browser.press(refused, 'Create account', fieldsFor(email))).url.pathname).toBe('/sign-in')
    expect(await invitationOnly.database.prisma.user.count({ where: { email, emailVerified: true } })).toBe(1)
  })
})
