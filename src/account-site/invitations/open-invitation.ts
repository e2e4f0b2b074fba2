import { prepareDocument, run } from '../../../schema/execute.ts'
import { invitationLinkPath } from '../../mail/link.ts'
import { invitationPath } from '../../web/page-paths.ts'
import { clearLinkSecret, saveLinkSecret, savedLinkSecret } from '../mail-links/opened-link.ts'
import { InvitationDocument, OpenedInvitationDocument } from '../generated/operations.ts'
import type { InvitationQuery, OpenedInvitationQuery } from '../generated/operations.ts'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'

const openedInvitation = prepareDocument(OpenedInvitationDocument)
const savedInvitation = prepareDocument(InvitationDocument)

/** Finds the invitation whose link this browser opened last; null if there is none. */
export const findInvitation = async ({ cookies, graphqlContext }: PageContext): Promise<InvitationQuery['invitation']> =>
  (await run<InvitationQuery>(savedInvitation, { token: savedLinkSecret(cookies, 'INVITATION') }, graphqlContext)).invitation

/** Like `findInvitation`, but null if the invitation can no longer be accepted. */
export async function findPendingInvitation(ctx: PageContext): Promise<InvitationQuery['invitation']> {
  const invitation = await findInvitation(ctx)
  return invitation?.status === 'PENDING' ? invitation : null
}

/** The target of the link in an invitation mail. It saves the secret and redirects at once, as `openLink` does. */
export const openInvitation = page({
  path: `${invitationLinkPath}:secret`,
  title: 'Invitation',
  isPublic: true,
  async load({ graphqlContext, cookies, param, response }) {
    const { openedInvitation: invitation } = await run<OpenedInvitationQuery>(openedInvitation, { token: param('secret') }, graphqlContext)
    response.set('Cache-Control', 'no-store')
    if (invitation) saveLinkSecret(cookies, 'INVITATION', param('secret'))
    else clearLinkSecret(cookies, 'INVITATION')
    return invitationPath
  },
  view: () => null,
})
