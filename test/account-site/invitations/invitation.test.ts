import { describe, expect, test } from 'vitest'
import { createPerson, password } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { join } from '../../support/data/team.ts'
import { invited as inviteGuest } from '../../support/account-site/invited.ts'
import { alertOf, heading, noticeOf, sessionCookie } from '../../support/account-site/page-content.ts'
import { contentOf } from '../../support/account-site/team.ts'

const service = useService()
const { database } = service
const { prisma } = database
const createInvitation = (terms = {}) => inviteGuest(service, terms)

describe('an invited user', () => {
  test('signs in from the invitation, returns to it and joins the team with a new session identifier', async () => {
    const { link, browser, team, email, isMember } = await createInvitation({ role: 'billing' })
    const page = await browser.open(link)
    const signIn = await browser.open(page.root.querySelectorAll('a.button')[0]?.getAttribute('href') ?? '')
    const returned = await browser.press(signIn, 'Sign in', { 'Email address': email, Password: password })
    expect([returned.url.pathname, returned.root.querySelectorAll('main button').map(({ text }) => text)]).toEqual([
      '/invitation',
      ['Join team', 'Decline'],
    ])
    const session = sessionCookie(browser)
    const joined = await browser.press(returned, 'Join team')
    expect([joined.url.pathname, noticeOf(joined)]).toEqual([`/teams/${team.slug}`, [200, 'You joined the team “Acme”.']])
    expect([await isMember(), sessionCookie(browser) === session]).toEqual([true, false])
    expect([heading(await browser.open('/invitation')), heading(await browser.open(`/teams/${team.slug}/members`))]).toEqual([
      [200, 'Invitation'],
      [200, 'Members'],
    ])
  })

  test('declines the invitation and does not become a member', async () => {
    const { signedInAs, browser, guest, isMember } = await createInvitation()
    const declined = await browser.press(await signedInAs(guest), 'Decline')
    expect([noticeOf(declined), contentOf(declined)]).toEqual([
      [200, 'The invitation to the team “Acme” was declined.'],
      'The invitation to the team “Acme” was declined. AOlga invites you to join the team Acme This invitation was declined. If that was a mistake, ask a team owner for a new one. Go to the start page',
    ])
    expect(await isMember()).toBe(false)
  })

  test('joins once when two windows send the form concurrently', async () => {
    const { signedInAs, browser, guest, isMember } = await createInvitation()
    const page = await signedInAs(guest)
    const responses = await Promise.all([browser.press(page, 'Join team'), browser.press(page, 'Join team')])
    const [first, second] = responses.toSorted((one, other) => one.status - other.status)
    expect(first && noticeOf(first)).toEqual([200, 'You joined the team “Acme”.'])
    // The invitation is already accepted. If the first request has renewed the session before, the form has expired instead.
    expect([
      [422, 'The invitation is accepted.'],
      [403, undefined],
    ]).toContainEqual(second && alertOf(second))
    expect([await isMember(), await prisma.auditEntry.count({ where: { action: 'acceptInvitation', actorUserId: guest.id } })]).toEqual([
      true,
      1,
    ])
  })

  test('who already became a member receives an error message', async () => {
    const { signedInAs, browser, guest, team } = await createInvitation()
    const page = await signedInAs(guest)
    await join(database, team, guest, 'member')
    expect(alertOf(await browser.press(page, 'Join team'))).toEqual([422, 'This user already belongs to the team.'])
  })

  test('whose address is no longer verified cannot join and is prompted to verify it', async () => {
    const { signedInAs, browser, guest, email, isMember } = await createInvitation()
    const page = await signedInAs(guest)
    await prisma.user.update({ where: { id: guest.id }, data: { emailVerified: false } })
    const refused = await browser.press(page, 'Join team')
    expect(alertOf(refused)).toEqual([422, 'This invitation is for another email address. Sign in with that address and verify it.'])
    const shown = await browser.open('/invitation')
    expect([shown.root.querySelectorAll('main form').length, contentOf(shown)]).toEqual([
      0,
      expect.stringContaining(`verify ${email}: open the link`),
    ])
    expect(await isMember()).toBe(false)
  })
})

describe('a user signed in with another address', () => {
  test('sees the invited address and can sign in with it', async () => {
    const { signedInAs, browser, email, isMember } = await createInvitation()
    const other = await createPerson(database)
    const page = await signedInAs(other)
    expect(contentOf(page)).toContain(
      `This invitation is for ${email}, but you are signed in as ${other.email}. Sign in with the invited email address, or ask an owner of the team to invite the email address that you use.`,
    )
    expect(page.root.querySelectorAll('main button').map(({ text }) => text)).toEqual(['Use another account'])
    const signIn = await browser.press(page, 'Use another account')
    expect([heading(signIn), signIn.url.searchParams.get('return_to')]).toEqual([[200, 'Sign in'], '/invitation'])
    const returned = await browser.press(signIn, 'Sign in', { 'Email address': email, Password: password })
    await browser.press(returned, 'Join team')
    expect(await isMember()).toBe(true)
  })
})

test('the invitation page rejects forms with a missing or wrong CSRF token and forms from another origin', async () => {
  const { signedInAs, browser, guest, isMember } = await createInvitation()
  const page = await signedInAs(guest)
  for (const values of [
    { form: 'accept', csrf: '' },
    { form: 'accept', csrf: 'x' },
    { form: 'nonsense', csrf: 'x' },
  ])
    expect(heading(await browser.send(page, '/invitation', new URLSearchParams(values)))).toEqual([403, 'This form has expired'])
  const elsewhere = { method: 'POST', body: new URLSearchParams({ form: 'accept' }), headers: { origin: 'https://evil.example' } }
  expect(heading(await browser.open('/invitation', elsewhere))).toEqual([403, 'This form has expired'])
  expect(await isMember()).toBe(false)
})
