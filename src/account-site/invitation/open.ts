import { prepareDocument, run } from '../../../schema/execute.ts'
import { guesserOf } from '../../guesses.ts'
import { invitationLinkPath } from '../../mail/link.ts'
import { page } from '../declaration.ts'
import { InvitationDocument } from '../generated/operations.ts'
import type { InvitationQuery } from '../generated/operations.ts'
import type { Visit } from '../visit.ts'
import { forgetInvitation, invitationPath, keepInvitation } from './kept.ts'

const find = prepareDocument(InvitationDocument)

/** What the invitation behind a secret says; null where there is none. */
export const readLetter = async (visit: Visit, token: string): Promise<InvitationQuery['invitation']> =>
  (await run<InvitationQuery>(find, { token }, visit.context)).invitation

/**
 * Where the link of a mail leads. Its secret is exchanged for a cookie at once, and leaves the address
 * bar. Nothing is answered yet: programs open the links of mails too.
 */
export const openInvitation = page({
  path: `${invitationLinkPath}:secret`,
  title: 'Invitation',
  for: 'anyone',
  async before(visit) {
    const { link } = visit.site.guesses
    const address = guesserOf(visit.request.ip)
    const secret = visit.param('secret')
    await link.attempt(address)
    if (await readLetter(visit, secret)) {
      await link.forgive(address)
      keepInvitation(visit.cookies, secret)
    } else forgetInvitation(visit.cookies)
    visit.response.set('Cache-Control', 'no-store')
    return invitationPath
  },
  view: () => null,
})
