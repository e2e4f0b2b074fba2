import { expect, test } from 'vitest'
import { Browser } from '../../support/browser/browser.ts'
import { invite, findPendingInvitation } from '../../support/data/invitation.ts'
import { lastLink, lastSecret } from '../../support/mail/links.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'
import { invited } from '../../support/account-site/invited.ts'
import { heading } from '../../support/account-site/page-content.ts'

// A link page stays open while the same browser opens another link. Its buttons must act on the first link or be refused.

const service = useService()
const { database, url } = service
const { prisma } = database
const expiredForm = [403, 'This form has expired']

/** Creates a user and requests a password reset mail. Returns the user and the path of the mail link. */
async function createResetLink() {
  const user = await createPerson(database)
  const browser = new Browser(url)
  await browser.press(await browser.open('/forgotten-password'), 'Send reset link', { 'Email address': user.email })
  return { user, link: `/links/${await lastLink(service, user.id)}` }
}
const findPasswordHashes = (...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await prisma.user.findUniqueOrThrow({ where: { id } })).passwordHash))

test('a password reset form is refused after the browser opens the reset link of another account', async () => {
  const [victim, attacker] = [await createResetLink(), await createResetLink()]
  const ids = [victim.user.id, attacker.user.id]
  const before = await findPasswordHashes(...ids)
  const browser = new Browser(url)
  const page = await browser.open(victim.link)
  await browser.open(attacker.link)
  const fields = { 'New password': 'a long and new password' }
  expect(heading(await browser.press(page, 'Change password', fields))).toEqual(expiredForm)
  expect(await findPasswordHashes(...ids)).toEqual(before)
  await browser.press(await browser.open(victim.link), 'Change password', fields)
  const after = await findPasswordHashes(...ids)
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true])
})

test('an invitation form is refused after the browser opens an invitation to another team', async () => {
  const { guest, email, signedInAs, browser, isMember } = await invited(service)
  const page = await signedInAs(guest)
  const other = await createOwnedTeam(database)
  // One hour after the first: another team cannot invite the address before.
  await prisma.invitation.updateMany({ where: { email }, data: { sentAt: new Date(service.clock.now().getTime() - 3_600_000) } })
  await invite(service, other.team.slug, other.token, { email, role: 'member' })
  const second = await prisma.invitation.findFirstOrThrow({ where: { email, teamId: other.team.id } })
  await browser.open(`/invitations/${lastSecret(service, second.id)}`)
  for (const button of ['Join team', 'Decline']) expect(heading(await browser.press(page, button))).toEqual(expiredForm)
  expect([
    await isMember(),
    await prisma.member.count({ where: { userId: guest.id } }),
    (await findPendingInvitation(service, email)).status,
  ]).toEqual([false, 0, 'pending'])
})
