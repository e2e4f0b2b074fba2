import { expect, test } from 'vitest'
import { Browser } from '../support/browser.ts'
import { invite, pendingOf } from '../support/invitation.ts'
import { lastLink, lastSecret } from '../support/links.ts'
import { createPerson } from '../support/oauth.ts'
import { startService } from '../support/service.ts'
import { createOwnedTeam } from '../support/team.ts'
import { invited } from './invited.ts'
import { heading } from './shown.ts'

// The page of a link stays open while another link is opened in the same browser: its button was about the first.

const service = await startService()
const { database, url } = service
const { prisma } = database
const expired = [403, 'This form has expired']

/** The link of a mail by which a new person may choose a password. */
async function forgotten() {
  const user = await createPerson(database)
  const browser = new Browser(url)
  await browser.press(await browser.open('/forgotten-password'), 'Send the mail', { 'Email address': user.email })
  return { user, link: `/links/${await lastLink(service, user.id)}` }
}
const passwords = (...ids: string[]) =>
  Promise.all(ids.map(async (id) => (await prisma.user.findUniqueOrThrow({ where: { id } })).passwordHash))

test('a new password is that of the account the page named, or of none', async () => {
  const [own, attacker] = [await forgotten(), await forgotten()]
  const ids = [own.user.id, attacker.user.id]
  const before = await passwords(...ids)
  const browser = new Browser(url)
  const page = await browser.open(own.link)
  await browser.open(attacker.link)
  const chosen = { 'New password': 'a long and new password' }
  expect(heading(await browser.press(page, 'Change the password', chosen))).toEqual(expired)
  expect(await passwords(...ids)).toEqual(before)
  await browser.press(await browser.open(own.link), 'Change the password', chosen)
  const after = await passwords(...ids)
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([false, true])
})

test('who joins a team joins the one that the page named, or none', async () => {
  const { guest, email, signedInAs, browser, isMember } = await invited(service)
  const page = await signedInAs(guest)
  const other = await createOwnedTeam(database)
  await invite(service, other.team.slug, other.token, { email, role: 'member' })
  const second = await prisma.invitation.findFirstOrThrow({ where: { email, teamId: other.team.id } })
  await browser.open(`/invitations/${lastSecret(service, second.id)}`)
  for (const button of ['Join the team', 'Decline']) expect(heading(await browser.press(page, button))).toEqual(expired)
  expect([await isMember(), await prisma.member.count({ where: { userId: guest.id } }), (await pendingOf(service, email)).status]).toEqual([
    false,
    0,
    'pending',
  ])
})
