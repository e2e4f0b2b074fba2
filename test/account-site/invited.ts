import { Browser } from '../support/browser.ts'
import { invitedGuest } from '../support/invitation.ts'
import { lastSecret } from '../support/links.ts'
import { createPerson } from '../support/oauth.ts'
import type { TestService } from '../support/service.ts'
import { enter } from './shown.ts'

type Terms = Parameters<typeof invitedGuest>[1]

/** An invitation, its link, and the invited person, who can sign in. */
export async function invited(service: TestService, terms: Terms = {}) {
  const { prisma } = service.database
  const around = await invitedGuest(service, terms)
  const { passwordHash } = await createPerson(service.database)
  await prisma.user.update({ where: { id: around.guest.id }, data: { passwordHash } })
  await prisma.user.update({ where: { id: around.owner.id }, data: { name: 'Olga' } })
  const secret = lastSecret(service, around.invitation.id)
  const browser = new Browser(service.url)
  const signedInAs = async (user: { email: string }) => {
    await enter(browser, user, '/security')
    return browser.open(`/invitations/${secret}`)
  }
  const isMember = async () => (await prisma.member.count({ where: { teamId: around.team.id, userId: around.guest.id } })) > 0
  return { ...around, secret, link: `/invitations/${secret}`, browser, signedInAs, isMember }
}

const noInvitation =
  'There is no invitation here. Its link may have been replaced by a newer one, be incomplete, or have been opened long ago. Open the link in the newest mail, or ask an owner of the team to invite you again. Go to the start page'

/** What is shown where there is no invitation, heading and content. */
export const nothingHere = [[200, 'Invitation'], noInvitation]
