import { describe, expect, test } from 'vitest'
import type { Page } from '../support/browser.ts'
import { sha256 } from '../../schema/secret.ts'
import { startService } from '../support/service.ts'
import { createUser, join, unique } from '../support/team.ts'
import { alertOf, heading, noticeOf } from './shown.ts'
import { contentOf, inTeam, rowsOf, wrongOf } from './team-of.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const day = 86_400_000

/** An owner at the page of invitations, and the means to invite. */
async function inviting() {
  const around = await inTeam(service, 'owner', '/invitations')
  const send = (fields: Record<string, string | string[]>, page: Page = around.page) =>
    around.browser.press(page, 'Send the invitation', fields)
  return { ...around, send, stored: (email: string) => prisma.invitation.findFirst({ where: { email }, orderBy: { createdAt: 'desc' } }) }
}
const address = () => `${unique('guest')}@example.test`

describe('inviting', () => {
  test('sends a mail and lists the invitation with its terms and state', async () => {
    const { team, person, page, send, stored } = await inviting()
    expect(contentOf(page)).toMatch(/Invitations so far Nobody was invited yet\.$/)
    const email = address()
    const mails = service.mails.length
    const sent = await send({ 'Email address': ` ${email.toUpperCase()}`, role: 'BILLING', access: 'chosen', accessibleAppIds: ['FLOW'] })
    expect([sent.url.pathname, noticeOf(sent)]).toEqual([`/teams/${team.slug}/invitations`, [200, 'The invitation is on its way.']])
    expect(rowsOf(sent)).toEqual([
      [
        email,
        'Billing',
        'Flow',
        expect.stringMatching(/^Waiting for an answer until \d+ \w+ \d{4}, \d\d:\d\d UTC$/),
        expect.any(String),
        `Send again: ${email} Revoke: ${email}`,
      ],
    ])
    expect(await stored(email)).toMatchObject({ role: 'billing', applications: ['flow'], invitedById: person.id, status: 'pending' })
    expect(service.mails.length).toBe(mails + 1)
  })

  test('is refused with the reason beside the field, and what was typed stays', async () => {
    const { team, owner, page, send } = await inviting()
    const attempts = [
      [{ 'Email address': 'nobody' }, 'The email field must be a valid email address.'],
      [{ 'Email address': owner.email, role: 'OWNER' }, 'This user already belongs to the team.'],
    ] as const
    for (const [fields, message] of attempts) {
      const refused = await send(fields)
      expect([alertOf(refused), wrongOf(refused, 'email')]).toEqual([[422, message], message])
      expect(refused.root.querySelector('#field-email')?.getAttribute('value')).toBe(fields['Email address'])
    }
    expect(alertOf(await send({ 'Email address': address(), role: 'KING' }, page))).toEqual([422, 'The selected role is invalid.'])
    expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(0)
  })

  test('the same address six times within an hour is refused', async () => {
    const { send } = await inviting()
    const email = address()
    for (let count = 0; count < 5; count++) expect((await send({ 'Email address': email })).status).toBe(200)
    const refused = await send({ 'Email address': email })
    expect([...alertOf(refused), refused.headers.get('retry-after')]).toEqual([
      429,
      'Too Many Attempts.',
      expect.stringMatching(/^3[56]\d\d$/),
    ])
    expect(rowsOf(refused)).toHaveLength(1)
  })
})

describe('an invitation', () => {
  const invited = async () => {
    const around = await inviting()
    const email = address()
    const page = await around.send({ 'Email address': email })
    const state = (shown: Page) => rowsOf(shown)[0]?.[3]
    return { ...around, email, page, state }
  }

  test('is sent again with a new link, and revoked; then nothing more can be done with it', async () => {
    const { browser, email, page, state, stored } = await invited()
    const before = await stored(email)
    const again = await browser.press(page, `Send again: ${email}`)
    expect(noticeOf(again)).toEqual([200, 'The invitation was sent again. Its earlier link no longer works.'])
    expect((await stored(email))?.tokenHash).not.toEqual(before?.tokenHash)
    const revoked = await browser.press(again, `Revoke: ${email}`)
    expect(noticeOf(revoked)).toEqual([200, 'The invitation was revoked. Its link no longer works.'])
    expect([state(revoked), rowsOf(revoked)[0]?.[5]]).toEqual([expect.stringMatching(/^Revoked \d+ \w+ \d{4}/), ''])
    for (const button of [`Send again: ${email}`, `Revoke: ${email}`])
      expect(heading(await browser.press(page, button))).toEqual([404, 'There is nothing here'])
  })

  test('that expired says so and can be sent again, unless another followed', async () => {
    const { browser, email, address: path, page, send, state } = await invited()
    clock.advance(7 * day)
    const expired = await browser.open(path)
    expect([state(expired), rowsOf(expired)[0]?.[5]]).toEqual([expect.stringMatching(/^Expired /), `Send again: ${email}`])
    const followed = await send({ 'Email address': email }, page)
    expect(rowsOf(followed).map((row) => row[5])).toEqual([`Send again: ${email} Revoke: ${email}`, ''])
  })

  test('of another team is not there', async () => {
    const { browser, page, email } = await invited()
    const other = await invited()
    const foreign = await other.stored(other.email)
    const form = page.root.querySelectorAll('form').find((each) => each.text.includes('Revoke'))
    const values = new URLSearchParams(
      form?.querySelectorAll('input').map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']),
    )
    for (const id of [foreign?.id ?? '', 'nonsense', '\0', '']) {
      values.set('id', id)
      expect(heading(await browser.send(page, page.url.pathname, values))).toEqual([404, 'There is nothing here'])
    }
    expect([(await other.stored(other.email))?.status, email]).toEqual(['pending', email])
  })

  test('is revoked no more by somebody who is no longer an owner', async () => {
    const { browser, team, person, email, page, stored } = await invited()
    await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: person.id } }, data: { role: 'member' } })
    for (const button of [`Send again: ${email}`, `Revoke: ${email}`, 'Send the invitation'])
      expect(heading(await browser.press(page, button, {}))).toEqual([403, 'You cannot open this'])
    expect(await stored(email)).toMatchObject({ status: 'pending' })
  })
})

test('invitations come fifty a page', async () => {
  const { browser, team, person, address: path } = await inviting()
  const one = (index: number) => ({
    teamId: team.id,
    email: `guest-${index}@example.test`,
    role: 'member' as const,
    status: 'declined' as const,
    tokenHash: sha256(unique('hash')),
    nonce: Buffer.from('x'),
    invitedById: person.id,
    sentAt: clock.now(),
    answeredAt: clock.now(),
    expiresAt: new Date(clock.now().getTime() + day),
  })
  await prisma.invitation.createMany({ data: Array.from({ length: 51 }, (_, index) => one(index)) })
  await join(database, team, await createUser(database), 'member')
  const page = await browser.open(path)
  expect([rowsOf(page).length, page.root.querySelector('.pages span')?.text]).toEqual([50, 'Page 1 of 2'])
  const second = await browser.open(`${path}?page=2`)
  expect(rowsOf(second).length).toBe(1)
  const refused = await browser.press(second, 'Send the invitation', { 'Email address': 'nobody' })
  expect([refused.status, rowsOf(refused).length, refused.url.search]).toEqual([422, 1, '?page=2'])
  const sent = await browser.press(refused, 'Send the invitation', { 'Email address': address() })
  // Where the new one stands.
  expect([sent.url.search, noticeOf(sent)]).toEqual(['', [200, 'The invitation is on its way.']])
})
