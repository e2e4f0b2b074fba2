import { describe, expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { invitedGuest } from '../support/invitation.ts'
import { lastLink, lastSecret } from '../support/links.ts'
import { createPerson } from '../support/oauth.ts'
import { secretKey } from '../support/pace.ts'
import { startService } from '../support/service.ts'
import { unique } from '../support/team.ts'
import { alertOf, contentOf, heading, noticeOf } from './shown.ts'

const service = await startService({ secretKey })
const { prisma } = service.database

const newPassword = 'a long and new password'
const typed = (email: string) => ({ Name: 'Grace', 'Email address': email, Password: newPassword })
const newAddress = () => `${unique('new')}@example.test`

async function signUp(email: string, browser = new Browser(service.url)) {
  const page = await browser.press(await browser.open('/sign-up'), 'Create the account', typed(email))
  return { browser, page }
}
const accountOf = (email: string) => prisma.user.findUniqueOrThrow({ where: { email } })
const mailsOf = async (email: string) => {
  const links = await prisma.mailLink.findMany({ where: { email } })
  return service.mails.flatMap((mail) => ('linkId' in mail && links.some(({ id }) => id === mail.linkId) ? [mail.kind] : []))
}
const sentTo = (email: string) =>
  `Look into your mailbox A mail is on its way to ${email} . Open the link in it to show that the address is yours. If the address had an account already, the mail says so, and nothing was changed. Sign in`

describe('somebody who signs up', () => {
  test('verifies the address by the link of a mail, which a GET does not use up, once signed in', async () => {
    const email = newAddress()
    const { browser, page } = await signUp(` ${email.toUpperCase()} `)
    expect([page.status, contentOf(page)]).toEqual([200, sentTo(email)])
    const { id, name, emailVerified } = await accountOf(email)
    expect([name, emailVerified, await mailsOf(email)]).toEqual(['Grace', false, ['verify-email']])
    const secret = await lastLink(service, id)
    for (let look = 0; look < 3; look++) await new Browser(service.url).open(`/links/${secret}`)
    const landing = await browser.open(`/links/${secret}`)
    expect([landing.url.href, ...heading(landing)]).toEqual([`${service.url}/sign-in?return_to=%2Fverify-email`, 200, 'Sign in'])
    expect(landing.text).not.toContain(secret)
    const asked = await browser.press(landing, 'Sign in', { 'Email address': email, Password: newPassword })
    expect([asked.url.href, ...heading(asked)]).toEqual([`${service.url}/verify-email`, 200, 'Verify your email address'])
    expect(contentOf(asked)).toBe(
      `Verify your email address Your account has the address ${email} . Show that it is yours. Verify the address`,
    )
    expect((await accountOf(email)).emailVerified).toBe(false)
    const inside = await browser.press(asked, 'Verify the address')
    expect([inside.url.pathname, ...noticeOf(inside)]).toEqual(['/account', 200, 'Your email address is verified.'])
    expect(contentOf(inside)).toContain(`${email} (verified)`)
    expect((await accountOf(email)).emailVerified).toBe(true)
    expect((await browser.open(`/links/${secret}`)).url.pathname).toBe('/link-ended')
    expect((await browser.open('/verify-email')).url.pathname).toBe('/link-ended')
  })

  test('with an address that has an account is told the same, and the account is as it was; its owner gets a mail', async () => {
    const owner = await createPerson(service.database)
    const { page } = await signUp(owner.email)
    expect([page.status, contentOf(page)]).toEqual([200, sentTo(owner.email)])
    expect(await accountOf(owner.email)).toEqual(owner)
    expect(await mailsOf(owner.email)).toEqual(['account-exists'])
  })

  test('with an address of a disabled account is told the same, and nobody gets a mail', async () => {
    const { email } = await createPerson(service.database, { disabledAt: new Date() })
    const { page } = await signUp(email)
    expect([page.status, contentOf(page), await mailsOf(email)]).toEqual([200, sentTo(email), []])
  })

  test('before verifying can sign in, is shown so, and can ask for the mail again', async () => {
    const email = newAddress()
    const { browser, page } = await signUp(email)
    const first = await lastLink(service, (await accountOf(email)).id)
    const signIn = await browser.open(page.root.querySelector('main a')?.getAttribute('href') ?? '')
    const inside = await browser.press(signIn, 'Sign in', { 'Email address': email, Password: newPassword })
    expect([inside.url.pathname, contentOf(inside)]).toEqual(['/account', expect.stringContaining(`${email} (not verified)`)])
    const again = await browser.press(inside, 'Send the mail again')
    expect(noticeOf(again)).toEqual([200, 'A mail is on its way. Open the link in it.'])
    expect((await browser.open(`/links/${first}`)).url.pathname).toBe('/link-ended')
    const landing = await browser.open(`/links/${await lastLink(service, (await accountOf(email)).id)}`)
    expect(noticeOf(await browser.press(landing, 'Verify the address'))).toEqual([200, 'Your email address is verified.'])
  })

  test('by an invitation needs no mail: its link has shown that the address is theirs', async () => {
    const { guest, email, invitation, team } = await invitedGuest(service)
    await prisma.user.delete({ where: { id: guest.id } })
    const browser = new Browser(service.url)
    await browser.open(`/invitations/${lastSecret(service, invitation.id)}`)
    const { page } = await signUp(email, browser)
    expect([page.url.pathname, ...noticeOf(page)]).toEqual([
      '/sign-in',
      200,
      'Sign in now. If you had an account already, it is as it was, and a mail tells you more.',
    ])
    expect([(await accountOf(email)).emailVerified, await mailsOf(email)]).toEqual([true, []])
    const invited = await browser.press(page, 'Sign in', { 'Email address': email, Password: newPassword })
    expect((await browser.press(invited, 'Join the team')).url.pathname).toContain(`/teams/${team.slug}`)
  })

  test('by an invitation to another address has to verify their own', async () => {
    const { invitation } = await invitedGuest(service)
    const browser = new Browser(service.url)
    await browser.open(`/invitations/${lastSecret(service, invitation.id)}`)
    const email = newAddress()
    const { page } = await signUp(email, browser)
    expect(contentOf(page)).toBe(sentTo(email))
    expect([(await accountOf(email)).emailVerified, await mailsOf(email)]).toEqual([false, ['verify-email']])
    // The link leads through signing in, and then to what they had come for.
    const signIn = await browser.open(`/links/${await lastLink(service, (await accountOf(email)).id)}`)
    const asked = await browser.press(signIn, 'Sign in', { 'Email address': email, Password: newPassword })
    const done = await browser.press(asked, 'Verify the address')
    expect([done.url.pathname, ...noticeOf(done)]).toEqual(['/invitation', 200, 'Your email address is verified.'])
  })

  test.each([
    [{ Name: ' ' }, 'name', 'The name field is required.'],
    [{ Name: 'x'.repeat(256) }, 'name', 'The name field must not be greater than 255 characters.'],
    [{ 'Email address': 'grace' }, 'email', 'The email field must be a valid email address.'],
    [{ Password: 'short' }, 'password', 'The password field must be at least 8 characters.'],
    [{ Name: 'a\0' }, 'name', 'The name field contains characters that cannot be stored.'],
  ])('wrongly (%j) is told so beside the field, and nothing is made', async (wrong, field, message) => {
    const users = await prisma.user.count()
    const email = newAddress()
    const browser = new Browser(service.url)
    const page = await browser.press(await browser.open('/sign-up'), 'Create the account', { ...typed(email), ...wrong })
    expect([...alertOf(page), page.root.querySelector(`#field-${field}-wrong`)?.text]).toEqual([422, message, message])
    expect(page.root.querySelector('input[name=password]')?.getAttribute('value')).toBeUndefined()
    expect(await prisma.user.count()).toBe(users)
  })

  test('comes back to what they were to sign in for, on our own origin alone', async () => {
    const browser = new Browser(service.url)
    const from = async (path: string) => {
      const page = await browser.press(await browser.open(path), 'Create the account', typed(newAddress()))
      return page.root.querySelector('main a')?.getAttribute('href')
    }
    expect(await from('/sign-up?return_to=%2Fteams%2Fnew')).toBe('/sign-in?return_to=%2Fteams%2Fnew')
    expect(await from('/sign-up?return_to=https%3A%2F%2Fevil.example')).toBe('/sign-in?return_to=%2F')
  })
})

describe('where accounts are made by invitation', async () => {
  const closed = await startService({ secretKey, signUp: 'invited' })
  const byInvitation = [422, 'An account is made by invitation: open the link in the mail, and use the address it was sent to.']

  test('nobody signs up without one; a form that was kept is refused once it was revoked', async () => {
    const browser = new Browser(closed.url)
    const page = await browser.open('/sign-up')
    expect(contentOf(page)).toContain('Accounts are made by invitation here')
    expect(page.root.querySelector('main form')).toBeNull()
    const { guest, email, invitation } = await invitedGuest(closed)
    await closed.database.prisma.user.delete({ where: { id: guest.id } })
    await browser.open(`/invitations/${lastSecret(closed, invitation.id)}`)
    const kept = await browser.open('/sign-up')
    await closed.database.prisma.invitation.update({ where: { id: invitation.id }, data: { status: 'revoked' } })
    expect(alertOf(await browser.press(kept, 'Create the account', typed(email)))).toEqual(byInvitation)
    expect(await closed.database.prisma.user.count({ where: { email } })).toBe(0)
  })

  test('who holds one signs up with the address it was sent to, and no other', async () => {
    const { guest, email, invitation } = await invitedGuest(closed)
    await closed.database.prisma.user.delete({ where: { id: guest.id } })
    const browser = new Browser(closed.url)
    await browser.open(`/invitations/${lastSecret(closed, invitation.id)}`)
    const page = await browser.open('/sign-up')
    expect(page.root.querySelector('input[name=email]')?.getAttribute('value')).toBe(email)
    const refused = await browser.press(page, 'Create the account', typed(newAddress()))
    expect(alertOf(refused)).toEqual(byInvitation)
    expect((await browser.press(refused, 'Create the account', typed(email))).url.pathname).toBe('/sign-in')
    expect(await closed.database.prisma.user.count({ where: { email, emailVerified: true } })).toBe(1)
  })
})
