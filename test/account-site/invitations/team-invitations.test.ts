import { describe, expect, test } from 'vitest'
import type { Page } from '../../support/browser/browser.ts'
import { sha256 } from '../../../schema/core/sha256.ts'
import { useService } from '../../support/service/service.ts'
import { createUser, join, unique } from '../../support/data/team.ts'
import { alertOf, heading, noticeOf, valuesOf } from '../../support/account-site/page-content.ts'
import { contentOf, inTeam, rowsOf, wrongOf } from '../../support/account-site/team.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const day = 86_400_000

/** Signs in a team owner and opens the invitations and their form. Returns functions that send the form and find an invitation. */
async function openInvitations() {
  const context = await inTeam(service, 'owner', '/invitations')
  const form = await context.browser.open(`${context.address}/new`)
  const send = (fields: Record<string, string | string[]>) => context.browser.press(form, 'Send invitations', fields)
  return {
    ...context,
    form,
    send,
    findInvitation: (email: string) => prisma.invitation.findFirst({ where: { email }, orderBy: { createdAt: 'desc' } }),
  }
}
const uniqueAddress = () => `${unique('guest')}@example.test`

describe('the invitation form', () => {
  test('sends a mail and lists the invitation with its role, applications and state', async () => {
    const { team, person, page, send, findInvitation } = await openInvitations()
    expect(contentOf(page)).toMatch(/^No invitations Invite people Invite someone to work with you\.$/)
    const email = uniqueAddress()
    const mails = service.mails.length
    const sent = await send({ 'Email addresses': ` ${email.toUpperCase()}`, role: 'BILLING', access: 'chosen', accessibleAppIds: ['FLOW'] })
    expect([sent.url.pathname, noticeOf(sent)]).toEqual([`/teams/${team.slug}/invitations`, [200, `Invitation sent to ${email}.`]])
    expect(rowsOf(sent)).toEqual([
      [
        email,
        'Billing',
        'Traffic rules',
        expect.stringMatching(/^Pending until \d+ \w+ \d{4}$/),
        expect.any(String),
        `⋯ Send again: ${email} Revoke ${email}`,
      ],
    ])
    expect(await findInvitation(email)).toMatchObject({
      role: 'billing',
      applications: ['flow'],
      invitedById: person.id,
      status: 'pending',
    })
    expect(service.mails.length).toBe(mails + 1)
  })

  test('shows the error message at the field and keeps the entered address', async () => {
    const { team, owner, send } = await openInvitations()
    const attempts = [
      [{ 'Email addresses': 'nobody' }, '“nobody” is not an email address.'],
      [{ 'Email addresses': owner.email, role: 'OWNER' }, `${owner.email}: This user already belongs to the team.`],
      [{ 'Email addresses': ' , ' }, 'Enter at least one email address.'],
    ] as const
    for (const [fields, message] of attempts) {
      const refused = await send(fields)
      expect([alertOf(refused), wrongOf(refused, 'emails')]).toEqual([[422, message], message])
      expect(refused.root.querySelector('#field-emails')?.text).toBe(fields['Email addresses'])
    }
    expect(alertOf(await send({ 'Email addresses': uniqueAddress(), role: 'KING' }))).toEqual([422, 'Choose a role.'])
    expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(0)
  })

  test('invites several addresses and names each that is refused', async () => {
    const { team, owner, send } = await openInvitations()
    const [first, second] = [uniqueAddress(), uniqueAddress()]
    const sent = await send({ 'Email addresses': `${first}, ${owner.email}\n${second} ${first}` })
    expect(noticeOf(sent)).toEqual([
      200,
      `2 invitations sent to ${first} and ${second}. ${owner.email}: This user already belongs to the team.`,
    ])
    expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(2)
  })

  test('sends nothing while one of several addresses is wrong, or while no product is chosen', async () => {
    const { team, send } = await openInvitations()
    const wrong = await send({ 'Email addresses': `${uniqueAddress()} nobody` })
    expect([wrong.status, wrongOf(wrong, 'emails')]).toEqual([422, '“nobody” is not an email address.'])
    const none = await send({ 'Email addresses': uniqueAddress(), access: 'chosen' })
    expect([none.status, wrongOf(none, 'accessibleAppIds')]).toEqual([422, 'Choose at least one product.'])
    expect(await prisma.invitation.count({ where: { teamId: team.id } })).toBe(0)
  })

  test('returns status code 429 for the sixth invitation of an address within an hour', async () => {
    const { send } = await openInvitations()
    const email = uniqueAddress()
    for (let count = 0; count < 5; count++) expect((await send({ 'Email addresses': email })).status).toBe(200)
    const refused = await send({ 'Email addresses': email })
    expect([...alertOf(refused), refused.headers.get('retry-after')]).toEqual([
      429,
      expect.stringMatching(/^Too many invitations to this email address\. Try again in \d+ minutes\.$/),
      expect.stringMatching(/^3[56]\d\d$/),
    ])
  })
})

describe('an invitation', () => {
  const sendInvitation = async () => {
    const context = await openInvitations()
    const email = uniqueAddress()
    const page = await context.send({ 'Email addresses': email })
    const state = (shown: Page) => rowsOf(shown)[0]?.[3]
    return { ...context, email, page, state }
  }

  test('is sent again with a new link, and allows no action after it is revoked', async () => {
    const { browser, email, page, state, findInvitation } = await sendInvitation()
    const before = await findInvitation(email)
    const resent = await browser.press(page, `Send again: ${email}`)
    expect(noticeOf(resent)).toEqual([200, `The invitation to ${email} was sent again. The earlier link no longer works.`])
    expect((await findInvitation(email))?.tokenHash).not.toEqual(before?.tokenHash)
    const confirmation = await browser.openConfirmation(resent, 'Revoke invitation')
    const revoked = await browser.press(confirmation, 'Revoke invitation')
    expect(noticeOf(revoked)).toEqual([200, `The invitation to ${email} was revoked. Its link no longer works.`])
    expect([state(revoked), rowsOf(revoked)[0]?.[5]]).toEqual([expect.stringMatching(/^Revoked \S/), undefined])
    expect(heading(await browser.press(page, `Send again: ${email}`))).toEqual([404, 'Page not found'])
    expect(heading(await browser.press(confirmation, 'Revoke invitation'))).toEqual([404, 'Page not found'])
  })

  test('that has expired is marked as expired and can be sent again until a newer one exists', async () => {
    const { browser, email, address: path, send, state } = await sendInvitation()
    clock.advance(7 * day)
    const expired = await browser.open(path)
    expect([state(expired), rowsOf(expired)[0]?.[5]]).toEqual([expect.stringMatching(/^Expired /), `⋯ Send again: ${email}`])
    const followed = await send({ 'Email addresses': email })
    expect(rowsOf(followed).map((row) => row[5])).toEqual([expect.stringContaining(`Revoke ${email}`), ''])
  })

  test('of another team cannot be revoked and returns status code 404', async () => {
    const { browser, page, email } = await sendInvitation()
    const other = await sendInvitation()
    const otherInvitation = await other.findInvitation(other.email)
    const values = valuesOf(await browser.openConfirmation(page, 'Revoke invitation'))
    for (const id of [otherInvitation?.id ?? '', 'nonsense', '\0', '']) {
      values.set('id', id)
      expect(heading(await browser.send(page, page.url.pathname, values))).toEqual([404, 'Page not found'])
    }
    expect([(await other.findInvitation(other.email))?.status, email]).toEqual(['pending', email])
  })

  test('cannot be revoked or sent again by a former owner', async () => {
    const { browser, team, person, email, page, form, findInvitation } = await sendInvitation()
    const confirmation = await browser.openConfirmation(page, 'Revoke invitation')
    await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: person.id } }, data: { role: 'member' } })
    for (const [shown, button] of [
      [page, `Send again: ${email}`],
      [form, 'Send invitations'],
      [confirmation, 'Revoke invitation'],
    ] as const)
      expect(heading(await browser.press(shown, button))).toEqual([403, 'You don’t have access'])
    expect(await findInvitation(email)).toMatchObject({ status: 'pending' })
  })
})

test('the invitations page lists fifty invitations at a time', async () => {
  const { browser, team, person, address: path } = await openInvitations()
  const buildDeclinedInvitation = (index: number) => ({
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
  await prisma.invitation.createMany({ data: Array.from({ length: 51 }, (_, index) => buildDeclinedInvitation(index)) })
  await join(database, team, await createUser(database), 'member')
  const page = await browser.open(path)
  expect([rowsOf(page).length, page.root.querySelector('.pages span')?.text]).toEqual([50, 'Page 1 of 2'])
  expect(rowsOf(await browser.open(`${path}?page=2`)).length).toBe(1)
})
