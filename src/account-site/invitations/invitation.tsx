import { z } from 'zod'
import { invitationPath, signInAt } from '../../web/page-paths.ts'
import { form } from '../framework/form.ts'
import { text } from '../framework/field-types.ts'
import { page } from '../framework/page.ts'
import { AcceptInvitationDocument, DeclineInvitationDocument, InvitationDocument } from '../generated/operations.ts'
import { linkSecretSubject, clearLinkSecret, savedLinkSecret } from '../mail-links/opened-link.ts'
import { StartPageLink } from '../../web/layout.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { Answer } from './answer.tsx'
import { joined, joinAfterSignUp } from './join.ts'
import { findInvitation } from './open-invitation.ts'
import { InvitationTerms, NoInvitation } from './terms.tsx'
import { quoteName } from '../../web/display-name.ts'

const kind = 'INVITATION'
const nothing = z.object({})
const variables = (_: unknown, { cookies }: PageContext) => ({ input: { token: savedLinkSecret(cookies, kind) } })

/** The page of the invitation whose link this browser opened last, with buttons to accept or decline it. */
export const invitation = page({
  path: invitationPath,
  title: ({ invitation }) => (invitation?.status === 'PENDING' ? 'You are invited' : 'Invitation'),
  isPublic: true,
  async load(ctx) {
    if (ctx.request.method !== 'POST') return joinAfterSignUp(ctx)
    // The invitation was renewed, or the cookie expired, after the page was shown. The page is shown again and says so.
    return (await findInvitation(ctx)) ? undefined : invitationPath
  },
  formSubject: linkSecretSubject(kind),
  document: InvitationDocument,
  variables: ({ cookies }) => ({ token: savedLinkSecret(cookies, kind) }),
  forms: {
    accept: form({
      fields: nothing,
      document: AcceptInvitationDocument,
      variables,
      notice: ({ acceptInvitation }) => joined(acceptInvitation.team),
      renewsSession: true,
      onSuccess({ acceptInvitation }, { cookies }) {
        clearLinkSecret(cookies, kind)
        return `/teams/${acceptInvitation.team.slug}`
      },
    }),
    decline: form({
      fields: z.object({ team: text }),
      document: DeclineInvitationDocument,
      variables,
      notice: (_, __, { team }) => `The invitation to the team ${quoteName(team)} was declined.`,
    }),
    switch: form({
      fields: nothing,
      async submit(_, { site, request, response }) {
        await site.sessions.signOut(request, response)
        return signInAt(invitationPath)
      },
    }),
  },
  view: ({ invitation }, { person }) => (
    <>
      {invitation ? <InvitationTerms invitation={invitation} /> : <NoInvitation />}
      {invitation?.status === 'PENDING' ? <Answer invitation={invitation} person={person} /> : <StartPageLink />}
    </>
  ),
})
