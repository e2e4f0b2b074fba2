import { prepareDocument, run } from '../../../schema/execute.ts'
import { invitationLinkPath } from '../../mail/link.ts'
import { invitationPath } from '../addresses.ts'
import { page } from '../declaration.ts'
import { InvitationDocument } from '../generated/operations.ts'
import type { InvitationQuery } from '../generated/operations.ts'
import { forgetSecret, keepSecret, keptSecret, openSecret } from '../kept-secret.ts'
import type { Visit } from '../visit.ts'

const find = prepareDocument(InvitationDocument)

/** What the invitation behind a secret says; null where there is none. */
export const readInvitation = async (visit: Visit, token: string): Promise<InvitationQuery['invitation']> =>
  (await run<InvitationQuery>(find, { token }, visit.context)).invitation

/** The invitation that this browser has opened, where it can be accepted; else null. */
export async function pendingInvitation(visit: Visit): Promise<InvitationQuery['invitation']> {
  const invitation = await readInvitation(visit, keptSecret(visit.cookies, 'invitation'))
  return invitation?.status === 'PENDING' ? invitation : null
}

/** Where the link of its mail leads. */
export const openInvitation = page({
  path: `${invitationLinkPath}:secret`,
  title: 'Invitation',
  for: 'anyone',
  async before(visit) {
    const isOne = await openSecret(visit, (secret) => readInvitation(visit, secret))
    if (isOne) keepSecret(visit.cookies, 'invitation', visit.param('secret'))
    else forgetSecret(visit.cookies, 'invitation')
    return invitationPath
  },
  view: () => null,
})
