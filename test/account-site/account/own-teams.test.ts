import { describe, expect, test } from 'vitest'
import { invited } from '../../support/account-site/invited.ts'
import { contentOf, enter, heading, noticeOf, openAs } from '../../support/account-site/page-content.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database
const accept = 'mutation ($id: ID!) { acceptInvitation(input: { id: $id }) { team { slug } } }'
const decline = 'mutation ($id: ID!) { declineInvitation(input: { id: $id }) { invitation { status } } }'
const list = '{ viewer { invitations { id: invitationId } } }'

describe('the page of the user’s teams', () => {
  test('shows a pending invitation, by which the user joins the team without the mail', async () => {
    const { browser, guest, team, isMember } = await invited(service, { role: 'billing' })
    const page = await enter(browser, guest, '/account/teams')
    expect(contentOf(page)).toMatch(
      /You are invited to a team Acme Billing From Olga , expires on \d+ \w+ \d{4}, \d\d:\d\d UTC Accept Acme Decline Acme /,
    )
    const joined = await browser.press(page, 'Accept Acme')
    expect([joined.url.pathname.startsWith(`/teams/${team.slug}`), noticeOf(joined)]).toEqual([true, [200, 'You joined the team “Acme”.']])
    expect(await isMember()).toBe(true)
    const after = await browser.open('/account/teams')
    expect(after.root.querySelector('#invitations')).toBeNull()
    expect(after.root.querySelectorAll('#own-teams li').map(({ text }) => text.replace(/\s+/g, ' ').trim())).toEqual(['AAcmeBilling'])
    expect(after.root.querySelector('#own-teams a')?.getAttribute('href')).toBe(`/teams/${team.slug}`)
  })

  test('declines an invitation', async () => {
    const { browser, guest, isMember } = await invited(service)
    const declined = await browser.press(await enter(browser, guest, '/account/teams'), 'Decline Acme')
    expect([heading(declined), noticeOf(declined)]).toEqual([
      [200, 'Your teams'],
      [200, 'The invitation to the team “Acme” was declined.'],
    ])
    expect([await isMember(), declined.root.querySelector('#invitations')]).toEqual([false, null])
  })
})

describe('an invitation is neither listed nor answered by its identifier', () => {
  test('for a user with another address, and for the invited address while it is not verified', async () => {
    const { guest, invitation, isMember } = await invited(service)
    const unverified = await prisma.user.update({ where: { id: guest.id }, data: { emailVerified: false } })
    for (const user of [await createPerson(service.database), unverified]) {
      const principal = await sessionOf(service, user)
      expect((await executeAs(service, principal, list)).data.viewer.invitations).toEqual([])
      for (const document of [accept, decline])
        expect((await executeAs(service, principal, document, { id: invitation.id })).refusal?.code).toBe('not_found')
    }
    expect(await isMember()).toBe(false)
    expect(await prisma.invitation.findUnique({ where: { id: invitation.id } })).toEqual(invitation)
  })

  test('without one of identifier and secret', async () => {
    const principal = await sessionOf(service, await createPerson(service.database))
    const neither = 'mutation { acceptInvitation(input: {}) { team { slug } } }'
    expect((await executeAs(service, principal, neither)).refusal?.code).toBe('validation_failed')
    expect((await executeAs(service, principal, accept, { id: 'x' })).refusal?.code).toBe('not_found')
  })
})

describe('a requested change of the email address', () => {
  test('is shown on the page of the email address, and its link does not work after it was canceled', async () => {
    const user = await createPerson(service.database)
    const { browser, page } = await openAs(service, user, '/account/email')
    const email = `new-${user.email}`
    const requested = await browser.press(page, 'Send confirmation link', { 'New email address': email })
    expect(contentOf(requested)).toContain(`Waiting for confirmation: ${email} .`)
    const canceled = await browser.press(requested, 'Cancel the change')
    expect(noticeOf(canceled)).toEqual([200, `The change was canceled. Your email address is still ${user.email}.`])
    expect(contentOf(canceled)).not.toContain('Waiting for confirmation')
    const links = await prisma.mailLink.findMany({ where: { userId: user.id } })
    expect(links.map(({ expiresAt }) => expiresAt <= service.clock.now())).toEqual([true])
    expect((await prisma.user.findUniqueOrThrow({ where: { id: user.id } })).email).toBe(user.email)
  })
})
