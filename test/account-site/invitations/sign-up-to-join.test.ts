import { describe, expect, test } from 'vitest'
import { contentOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { invitedFields } from '../../support/account-site/signed-up.ts'
import { Browser } from '../../support/browser/browser.ts'
import { createInvitedGuest } from '../../support/data/invitation.ts'
import { createUserWithTotp } from '../../support/account-site/trusted-browser.ts'
import { lastSecret } from '../../support/mail/links.ts'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService({ secretKey })
const { prisma } = service.database
const joinButton = 'Create account and join'

/** Invites an address that has no account, and opens the form from the invitation. */
async function openForm() {
  const invited = await createInvitedGuest(service)
  await prisma.user.delete({ where: { id: invited.guest.id } })
  const browser = new Browser(service.url)
  const page = await browser.open(`/invitations/${lastSecret(service, invited.invitation.id)}`)
  const link = page.root.querySelectorAll('main a').find(({ text }) => text.trim() === 'Create account')
  return { ...invited, browser, form: await browser.open(link?.getAttribute('href') ?? '') }
}
const membersOf = ({ team }: { team: { id: string } }) => prisma.member.count({ where: { teamId: team.id } })

describe('a sign-up through the link of an invitation', () => {
  test('verifies the address, signs in and joins the team with one form, and sends no mail to the new user', async () => {
    const invited = await openForm()
    const { browser, form, email, team } = invited
    expect([form.root.querySelector('[name=email]')?.getAttribute('value'), contentOf(form)]).toEqual([
      email,
      expect.stringContaining('to join the team Acme'),
    ])
    const page = await browser.press(form, joinButton, invitedFields)
    expect([page.url.pathname, noticeOf(page)]).toEqual([`/teams/${team.slug}`, [200, 'You joined the team “Acme”.']])
    expect(page.text).not.toContain('If you already had an account')
    const user = await prisma.user.findUniqueOrThrow({ where: { email } })
    expect([user.emailVerified, await membersOf(invited)]).toEqual([true, 2])
    expect(service.mails.filter((mail) => 'userId' in mail && mail.userId === user.id)).toEqual([])
    expect(await prisma.mailLink.count({ where: { email } })).toBe(0)
    expect(heading(await browser.open('/invitation'))).toEqual([200, 'Invitation'])
  })

  test('leads the owner of an existing account to the sign-in page, with the address filled in', async () => {
    const invited = await openForm()
    const { browser, form, email, team } = invited
    await createPerson(service.database, { email })
    const signIn = await browser.press(form, joinButton, invitedFields)
    expect([signIn.url.pathname, ...noticeOf(signIn)]).toEqual(['/sign-in', 200, 'You already have an account. Sign in to join the team.'])
    expect(signIn.root.querySelector('[name=email]')?.getAttribute('value')).toBe(email)
    expect(await membersOf(invited)).toBe(1)
    const page = await browser.press(signIn, 'Sign in', { Password: password })
    expect([page.url.pathname, await membersOf(invited)]).toEqual([`/teams/${team.slug}`, 2])
  })

  test('requests the second factor of an existing account before it joins', async () => {
    const invited = await openForm()
    const { browser, form, email, team } = invited
    const { user, nextCode } = await createUserWithTotp(service)
    await prisma.user.update({ where: { id: user.id }, data: { email } })
    const page = await browser.press(form, joinButton, { ...invitedFields, Password: password })
    expect([heading(page), await membersOf(invited)]).toEqual([[200, 'Two-factor authentication'], 1])
    expect((await browser.press(page, 'Continue', { Code: nextCode() })).url.pathname).toBe(`/teams/${team.slug}`)
  })

  test('shows an invitation that can no longer be accepted, instead of joining', async () => {
    const invited = await openForm()
    const { browser, form, email, team, owner } = invited
    await prisma.member.delete({ where: { teamId_userId: { teamId: team.id, userId: owner.id } } }).catch(() => null)
    await prisma.user.update({ where: { id: owner.id }, data: { disabledAt: new Date() } })
    const page = await browser.press(form, joinButton, invitedFields)
    expect([page.url.pathname, contentOf(page)]).toEqual([
      '/invitation',
      expect.stringContaining('The sender of this invitation can no longer invite members.'),
    ])
    expect(await prisma.member.count({ where: { user: { email } } })).toBe(0)
  })

  test('does not join by an invitation that is opened afterwards', async () => {
    const [first, second] = [await openForm(), await createInvitedGuest(service)]
    const other = second.guest
    const { passwordHash } = await createPerson(service.database)
    await prisma.user.update({ where: { id: other.id }, data: { passwordHash } })
    await createPerson(service.database, { email: first.email })
    const signIn = await first.browser.press(first.form, joinButton, invitedFields)
    await first.browser.open(`/invitations/${lastSecret(service, second.invitation.id)}`)
    const page = await first.browser.press(signIn, 'Sign in', { 'Email address': second.email, Password: password })
    expect([heading(page), await membersOf(second)]).toEqual([[200, 'You are invited'], 1])
  })
})
