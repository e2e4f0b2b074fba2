import { describe, expect, test } from 'vitest'
import { invite } from '../../support/data/invitation.ts'
import { lastSecret } from '../../support/mail/links.ts'
import { useService } from '../../support/service/service.ts'
import { createUser, join } from '../../support/data/team.ts'
import { invited as inviteGuest, nothingHere } from '../../support/account-site/invited.ts'
import { alertOf, heading, noticeOf } from '../../support/account-site/page-content.ts'
import { contentOf } from '../../support/account-site/team.ts'

const service = useService({ rateLimitLink: 20 })
const { database, clock } = service
const { prisma } = database
const day = 86_400_000
const createInvitation = (terms = {}) => inviteGuest(service, terms)

describe('an invitation link', () => {
  test('redirects to a page with the terms of the invitation and stores its secret in an encrypted cookie', async () => {
    const { secret, link, browser, email } = await createInvitation({ role: 'billing', accessible_app_ids: ['flow'] })
    const page = await browser.open(link)
    expect([page.url.pathname, page.url.search, heading(page)]).toEqual(['/invitation', '', [200, 'You are invited']])
    expect(contentOf(page)).toMatch(
      new RegExp(
        `^AOlga invites you to join the team Acme For ${email} Role Billing Product access Traffic rules Expires in \\d+ days To join, sign in as ${email} or create an account\\. Sign in Create account$`,
      ),
    )
    const cookie = [...browser.cookies.values()].find(({ name }) => name === 'invitation')
    expect([cookie?.path, cookie?.value.includes(secret), page.root.toString().includes(secret)]).toEqual(['/', false, false])
    const response = await fetch(service.url + link, { redirect: 'manual' })
    expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
      303,
      '/invitation',
      'no-store',
    ])
    expect(response.headers.getSetCookie().find((each) => each.startsWith('invitation='))).toMatch(
      /; Max-Age=3600; Path=\/; .*HttpOnly; SameSite=Lax$/,
    )
  })

  test('neither accepts nor declines the invitation when a program requests it', async () => {
    const { link, invitation } = await createInvitation()
    for (const method of ['GET', 'HEAD']) await fetch(service.url + link, { method })
    expect(await prisma.invitation.findUnique({ where: { id: invitation.id } })).toMatchObject({ status: 'pending' })
  })

  test.each(['nonsense', 'x'.repeat(2000), '%00', '%ED%A0%80'])(
    'that is invalid shows an error page, even after a valid link was opened: %s',
    async (invalid) => {
      const { link, browser } = await createInvitation()
      await browser.open(link)
      const page = await browser.open(`/invitations/${invalid}`)
      if (page.url.pathname === '/invitation') expect([heading(page), contentOf(page)]).toEqual(nothingHere)
      else expect(heading(page)).toEqual([404, 'Page not found'])
    },
  )

  test('stays stored in the browser for one hour', async () => {
    const { link, browser } = await createInvitation()
    await browser.open(link)
    clock.advance(3_599_000)
    expect(heading(await browser.open('/invitation'))).toEqual([200, 'You are invited'])
    clock.advance(2000)
    const page = await browser.open('/invitation')
    expect([heading(page), contentOf(page)]).toEqual(nothingHere)
  })

  test('returns status code 429 after twenty invalid links within ten minutes, and valid links do not count', async () => {
    clock.advance(600_000)
    await prisma.attemptCount.deleteMany({})
    const { link, browser } = await createInvitation()
    for (let count = 0; count < 25; count++) expect(heading(await browser.open(link))).toEqual([200, 'You are invited'])
    for (let count = 0; count < 20; count++) expect(heading(await browser.open(`/invitations/wrong-${count}`))).toEqual([200, 'Invitation'])
    const refused = await browser.open('/invitations/wrong')
    expect([heading(refused), contentOf(refused)]).toEqual([
      [429, 'Too many attempts'],
      `We limit attempts to protect accounts. Try again in 10 minutes. Go to the start page Request ID: ${refused.headers.get('x-request-id')}`,
    ])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await prisma.attemptCount.deleteMany({})
  })
})

describe('the invitation page', () => {
  test('shows that an invitation was accepted, declined or revoked, or has expired', async () => {
    const { link, browser, invitation } = await createInvitation()
    const cases = [
      ['accepted', 'This invitation was accepted. Sign in to open the team.'],
      ['declined', 'This invitation was declined. If that was a mistake, ask a team owner for a new one.'],
      ['revoked', 'This invitation was revoked. If you expected to join, contact a team owner.'],
    ] as const
    for (const [status, sentence] of cases) {
      await prisma.invitation.update({
        where: { id: invitation.id },
        data: { status, answeredAt: clock.now() },
      })
      const page = await browser.open(link)
      expect([heading(page), contentOf(page)]).toEqual([
        [200, 'Invitation'],
        `AOlga invites you to join the team Acme ${sentence} Go to the start page`,
      ])
      expect(page.root.querySelectorAll('main form, main a.button').length).toBe(0)
    }
    await prisma.invitation.update({ where: { id: invitation.id }, data: { status: 'pending', answeredAt: null } })
    clock.advance(7 * day)
    expect(contentOf(await browser.open(link))).toMatch(
      / Acme This invitation expired on .* UTC\. Ask a team owner to send it again\. Go to the start page$/,
    )
  })

  test('rejects the answer to an invitation that was replaced or revoked after the page was opened', async () => {
    const { signedInAs, browser, guest, team, token, email, invitation, isMember } = await createInvitation()
    const page = await signedInAs(guest)
    await invite(service, team.slug, token, { email, role: 'owner' })
    for (const button of ['Join team', 'Decline']) {
      const ended = await browser.press(page, button)
      expect([heading(ended), contentOf(ended)]).toEqual(nothingHere)
    }
    const renewed = await browser.open(`/invitations/${lastSecret(service, invitation.id)}`)
    await prisma.invitation.update({ where: { id: invitation.id }, data: { status: 'revoked' } })
    expect(alertOf(await browser.press(renewed, 'Join team'))).toEqual([422, 'The invitation is revoked.'])
    expect(await isMember()).toBe(false)
  })

  test('offers only to decline when the inviter may no longer invite', async () => {
    const { signedInAs, browser, guest, team, owner, isMember } = await createInvitation()
    const page = await signedInAs(guest)
    await join(database, team, await createUser(database), 'owner')
    await prisma.member.delete({ where: { teamId_userId: { teamId: team.id, userId: owner.id } } })
    const refused = await browser.press(page, 'Join team')
    expect(alertOf(refused)).toEqual([422, 'The person who sent this invitation can no longer invite members.'])
    expect(refused.root.querySelectorAll('main button').map(({ text }) => text)).toEqual(['Decline'])
    expect(noticeOf(await browser.press(refused, 'Decline'))).toEqual([200, 'The invitation to the team “Acme” was declined.'])
    expect(await isMember()).toBe(false)
  })
})
