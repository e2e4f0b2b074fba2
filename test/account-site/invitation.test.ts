import { describe, expect, test } from 'vitest'
import { createPerson, password } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { join } from '../support/team.ts'
import { invited as invitedAt } from './invited.ts'
import { alertOf, heading, noticeOf, sessionCookie } from './shown.ts'
import { contentOf } from './team-of.ts'

const service = await startService()
const { database } = service
const { prisma } = database
const invited = (terms = {}) => invitedAt(service, terms)

describe('the invited person', () => {
  test('signs in from the invitation, comes back to it and joins, with a new session identifier', async () => {
    const { link, browser, team, email, isMember } = await invited({ role: 'billing' })
    const page = await browser.open(link)
    const signIn = await browser.open(page.root.querySelectorAll('a.button')[0]?.getAttribute('href') ?? '')
    const back = await browser.press(signIn, 'Sign in', { 'Email address': email, Password: password })
    expect([back.url.pathname, back.root.querySelectorAll('main button').map(({ text }) => text)]).toEqual([
      '/invitation',
      ['Join the team', 'Decline'],
    ])
    const session = sessionCookie(browser)
    const joined = await browser.press(back, 'Join the team')
    expect([joined.url.pathname, noticeOf(joined)]).toEqual([`/teams/${team.slug}/settings`, [200, 'You have joined the team.']])
    expect([await isMember(), sessionCookie(browser) === session]).toEqual([true, false])
    expect([heading(await browser.open('/invitation')), heading(await browser.open(`/teams/${team.slug}/members`))]).toEqual([
      [200, 'Invitation'],
      [200, 'Members'],
    ])
  })

  test('declines', async () => {
    const { signedInAs, browser, guest, isMember } = await invited()
    const declined = await browser.press(await signedInAs(guest), 'Decline')
    expect([noticeOf(declined), contentOf(declined)]).toEqual([
      [200, 'The invitation was declined.'],
      'The invitation was declined. AOlga invites you to join the team Acme This invitation was declined. Should that have been a mistake, ask an owner of the team for a new one. Go to the start page',
    ])
    expect(await isMember()).toBe(false)
  })

  test('who joins in two windows at once joins once', async () => {
    const { signedInAs, browser, guest, isMember } = await invited()
    const page = await signedInAs(guest)
    const answers = await Promise.all([browser.press(page, 'Join the team'), browser.press(page, 'Join the team')])
    const [first, second] = answers.toSorted((one, other) => one.status - other.status)
    expect(first && noticeOf(first)).toEqual([200, 'You have joined the team.'])
    // As answered already; where the first was quick, as a form of the session that it renewed.
    expect([
      [422, 'The invitation is accepted.'],
      [403, undefined],
    ]).toContainEqual(second && alertOf(second))
    expect([await isMember(), await prisma.auditEntry.count({ where: { action: 'acceptInvitation', actorUserId: guest.id } })]).toEqual([
      true,
      1,
    ])
  })

  test('who was made a member meanwhile is told', async () => {
    const { signedInAs, browser, guest, team } = await invited()
    const page = await signedInAs(guest)
    await join(database, team, guest, 'member')
    expect(alertOf(await browser.press(page, 'Join the team'))).toEqual([422, 'This user already belongs to the team.'])
  })

  test('whose address is not verified is told what to do, and a form that was kept is refused', async () => {
    const { signedInAs, browser, guest, email, isMember } = await invited()
    const page = await signedInAs(guest)
    await prisma.user.update({ where: { id: guest.id }, data: { emailVerified: false } })
    const refused = await browser.press(page, 'Join the team')
    expect(alertOf(refused)).toEqual([422, 'The invitation is for another address: sign in with the invited one, and verify it.'])
    const shown = await browser.open('/invitation')
    expect([shown.root.querySelectorAll('main form').length, contentOf(shown)]).toEqual([
      0,
      expect.stringContaining(`show that ${email} is yours`),
    ])
    expect(await isMember()).toBe(false)
  })
})

describe('somebody signed in with another address', () => {
  test('is told whom it is for, and can sign in as them', async () => {
    const { signedInAs, browser, email, isMember } = await invited()
    const other = await createPerson(database)
    const page = await signedInAs(other)
    expect(contentOf(page)).toContain(
      `It is for ${email}, and you are signed in as ${other.email}. Sign in with the invited address to answer it, or ask an owner of the team to invite the address that you use.`,
    )
    expect(page.root.querySelectorAll('main button').map(({ text }) => text)).toEqual(['Sign in as somebody else'])
    const signIn = await browser.press(page, 'Sign in as somebody else')
    expect([heading(signIn), signIn.url.searchParams.get('return_to')]).toEqual([[200, 'Sign in'], '/invitation'])
    const back = await browser.press(signIn, 'Sign in', { 'Email address': email, Password: password })
    await browser.press(back, 'Join the team')
    expect(await isMember()).toBe(true)
  })
})

test('a form of somebody else’s page answers nothing', async () => {
  const { signedInAs, browser, guest, isMember } = await invited()
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
