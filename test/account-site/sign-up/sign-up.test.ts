import { describe, expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { createInvitedGuest } from '../../support/data/invitation.ts'
import { lastLink, lastSecret } from '../../support/mail/links.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { useService } from '../../support/service/service.ts'
import { alertOf, contentOf, noticeOf } from '../../support/account-site/page-content.ts'
import { fieldsFor, invitedFields, newAddress, newPassword, signedUp, signUp as signUpAt } from '../../support/account-site/signed-up.ts'

// What its link does: link.test.ts. The page that waits for it: check-email.test.ts.

const service = useService({ secretKey })
const { prisma } = service.database

const signUp = (email: string, browser?: Browser) => signUpAt(service, email, browser)
const findAccount = (email: string) => prisma.user.findUniqueOrThrow({ where: { email } })
const findMailKinds = async (email: string) => {
  const links = await prisma.mailLink.findMany({ where: { email } })
  return service.mails.flatMap((mail) => ('linkId' in mail && links.some(({ id }) => id === mail.linkId) ? [mail.kind] : []))
}
const waitingText = (email: string) =>
  `Check your email We sent an email to ${email} . Open the link in it to continue. In this browser it also signs you in. No email after a few minutes? Check your spam folder. If you already have an account, the email says so. Send the email again Wrong email address? Change it Already have an account? Sign in`

describe('a sign-up', () => {
  test('creates an account that is not verified, and sends the link that verifies it', async () => {
    const email = newAddress()
    const { page } = await signUp(` ${email.toUpperCase()} `)
    expect([page.url.pathname, page.status, contentOf(page)]).toEqual(['/sign-up/check-email', 200, waitingText(email)])
    const { name, emailVerified } = await findAccount(email)
    expect([name, emailVerified, await findMailKinds(email)]).toEqual(['Grace', false, ['verify-email']])
  })

  test('with the address of an existing account shows the same page, changes nothing, and mails the owner', async () => {
    const owner = await createPerson(service.database)
    const { page } = await signUp(owner.email)
    expect([page.url.pathname, page.status, contentOf(page)]).toEqual(['/sign-up/check-email', 200, waitingText(owner.email)])
    expect(await findAccount(owner.email)).toEqual(owner)
    expect(await findMailKinds(owner.email)).toEqual(['account-exists'])
  })

  test('with the address of a disabled account shows the same page and sends no mail', async () => {
    const { email } = await createPerson(service.database, { disabledAt: new Date() })
    const { page } = await signUp(email)
    expect([page.status, contentOf(page), await findMailKinds(email)]).toEqual([200, waitingText(email), []])
  })

  test('lets the user sign in before verification, shows the address as not verified, and can send the mail again', async () => {
    const { email, browser, link, open } = await signedUp(service)
    const first = await link()
    const signIn = await browser.open('/sign-in')
    expect(signIn.root.querySelector('[name=email]')?.getAttribute('value')).toBe(email)
    const accountPage = await browser.press(signIn, 'Sign in', { Password: newPassword })
    expect([accountPage.url.pathname, contentOf(accountPage)]).toEqual(['/account/teams', expect.stringContaining(`${email} Not verified`)])
    const team = await browser.open('/teams/new')
    expect([team.root.querySelector('main form'), contentOf(team)]).toEqual([
      null,
      expect.stringContaining('Verify your email address first'),
    ])
    const again = await browser.press(accountPage, 'Send the email again')
    expect(noticeOf(again)).toEqual([200, `We sent an email to ${email}. Open the link in it to verify your email address.`])
    expect((await browser.open(first)).url.pathname).toBe('/link-ended')
    expect(noticeOf(await open())).toEqual([200, `Your email address ${email} is verified.`])
  })

  test('through an invitation to another address still requires verification of the own address', async () => {
    const { invitation } = await createInvitedGuest(service)
    const browser = new Browser(service.url)
    await browser.open(`/invitations/${lastSecret(service, invitation.id)}`)
    const email = newAddress()
    const form = await browser.open('/sign-up')
    expect(form.root.querySelector('[name=email]')?.getAttribute('type')).toBe('hidden')
    const change = form.root.querySelectorAll('main a').find(({ text }) => text === 'Change the email address')
    const otherForm = await browser.open(change?.getAttribute('href') ?? '')
    const page = await browser.press(otherForm, 'Create account and join', fieldsFor(email))
    expect(contentOf(page)).toBe(waitingText(email))
    expect([(await findAccount(email)).emailVerified, await findMailKinds(email)]).toEqual([false, ['verify-email']])
    // The link leads back to the invitation, which is not accepted.
    const done = await browser.open(`/links/${await lastLink(service, (await findAccount(email)).id)}`)
    expect([done.url.pathname, ...noticeOf(done)]).toEqual(['/invitation', 200, `Your email address ${email} is verified.`])
  })

  test.each([
    [{ Name: ' ' }, 'name', 'Enter a name.'],
    [{ Name: 'x'.repeat(256) }, 'name', 'Name must be at most 255 characters.'],
    [{ 'Email address': 'grace' }, 'email', 'Enter a valid email address.'],
    [{ Password: '' }, 'password', 'Enter a password.'],
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

  test('with several mistakes shows all of them at once, and keeps what was typed', async () => {
    const browser = new Browser(service.url)
    const form = await browser.open('/sign-up')
    const page = await browser.press(form, 'Create account', { Name: ' ', 'Email address': 'grace@', Password: 'grace1234' })
    const wrong = page.root.querySelectorAll('.wrong').map(({ text }) => text)
    expect(wrong).toEqual([
      'Enter a name.',
      'Enter a valid email address.',
      'Password is easy to guess. Choose a longer one, for example several unrelated words.',
    ])
    expect(page.root.querySelector('[name=email]')?.getAttribute('value')).toBe('grace@')
    // The browser reports one empty field at a time, so the form leaves it to the server.
    expect(form.root.querySelector('main button:not([type=button])')?.hasAttribute('formnovalidate')).toBe(true)
    const own = await browser.press(form, 'Create account', { Name: 'Grace Hopper', 'Email address': '', Password: 'gracehopper' })
    expect(own.root.querySelectorAll('.wrong').map(({ text }) => text)).toEqual([
      'Enter an email address.',
      'Password must not consist of your name, your email address or the name of this service. Choose another one.',
    ])
  })
})

describe('an invitation-only sign-up', () => {
  const invitationOnly = useService({ secretKey, signUp: 'invited' })
  const invitationRequired = [
    422,
    'You need an invitation to create an account. Open the link in the invitation email and use the email address it was sent to.',
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
    expect(alertOf(await browser.press(stalePage, 'Create account and join', invitedFields))).toEqual(invitationRequired)
    expect(await invitationOnly.database.prisma.user.count({ where: { email } })).toBe(0)
  })

  test('accepts only the address that the invitation was sent to', async () => {
    const { guest, email, invitation, team } = await createInvitedGuest(invitationOnly)
    await invitationOnly.database.prisma.user.delete({ where: { id: guest.id } })
    const browser = new Browser(invitationOnly.url)
    await browser.open(`/invitations/${lastSecret(invitationOnly, invitation.id)}`)
    const page = await browser.open('/sign-up')
    expect([page.root.querySelector('input[name=email]')?.getAttribute('value'), contentOf(page)]).toEqual([
      email,
      expect.not.stringContaining('Change'),
    ])
    const refused = await browser.press(await browser.open('/sign-up?again=1'), 'Create account and join', fieldsFor(newAddress()))
    expect(alertOf(refused)).toEqual(invitationRequired)
    expect((await browser.press(page, 'Create account and join', invitedFields)).url.pathname).toBe(`/teams/${team.slug}`)
    expect(await invitationOnly.database.prisma.user.count({ where: { email, emailVerified: true } })).toBe(1)
  })
})
