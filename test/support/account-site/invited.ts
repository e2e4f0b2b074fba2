import { Browser } from '../browser/browser.ts'
import { createInvitedGuest } from '../data/invitation.ts'
import { lastSecret } from '../mail/links.ts'
import { createPerson } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'
import { enter } from './page-content.ts'

type Terms = Parameters<typeof createInvitedGuest>[1]

/** Creates an invitation for a user who can sign in. Returns its link and a browser without a session. */
export async function invited(service: TestService, terms: Terms = {}) {
  const { prisma } = service.database
  const created = await createInvitedGuest(service, terms)
  const { passwordHash } = await createPerson(service.database)
  await prisma.user.update({ where: { id: created.guest.id }, data: { passwordHash } })
  await prisma.user.update({ where: { id: created.owner.id }, data: { name: 'Olga' } })
  const secret = lastSecret(service, created.invitation.id)
  const browser = new Browser(service.url)
  const signedInAs = async (user: { email: string }) => {
    await enter(browser, user, '/security')
    return browser.open(`/invitations/${secret}`)
  }
  const isMember = async () => (await prisma.member.count({ where: { teamId: created.team.id, userId: created.guest.id } })) > 0
  return { ...created, secret, link: `/invitations/${secret}`, browser, signedInAs, isMember }
}

const noInvitation =
  'We could not find this invitation. The link may be incomplete, expired, or replaced by a newer one. Open the link in the most recent email, or ask a team owner for a new invitation. Go to the start page'

/** Heading and content of the page for a link without an invitation. */
export const nothingHere = [[200, 'Invitation'], noInvitation]
