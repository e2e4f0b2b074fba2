import { prepareDocument, run } from '../../../schema/execute.ts'
import { invitationLinkPath } from '../../mail/link.ts'
import { invitationPath } from '../addresses.ts'
import { page } from '../declaration.ts'
import { InvitationDocument } from '../generated/operations.ts'
import type { InvitationQuery } from '../generated/operations.ts'
import { forgetSecret, keepSecret, openSecret } from '../kept-secret.ts'
import type { Visit } from '../visit.ts'

const find = prepareDocument(InvitationDocument)

/** What the invitation behind a secret says; null where there is none. */
export const readInvitation = async (visit: Visit, token: string): Promise<InvitationQuery['invitation']> =>
  (await run<InvitationQuery>(find, { token }, visit.context)).invitation

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
