import { z } from 'zod'
import { invitationPath, signInAt } from '../addresses.ts'
import { form, page } from '../declaration.ts'
import { AcceptInvitationDocument, DeclineInvitationDocument, InvitationDocument } from '../generated/operations.ts'
import { aboutSecret, forgetSecret, keptSecret } from '../kept-secret.ts'
import { ToStart } from '../page.tsx'
import type { Visit } from '../visit.ts'
import { Answer } from './answer.tsx'
import { readInvitation } from './open.ts'
import { InvitationTerms, NoInvitation } from './terms.tsx'

const kind = 'invitation'
const nothing = z.object({})
const variables = (_: unknown, { cookies }: Visit) => ({ input: { token: keptSecret(cookies, kind) } })

/** The invitation whose link was opened last in this browser: what it says, and its answer. */
export const invitation = page({
  path: invitationPath,
  title: ({ invitation }) => (invitation?.status === 'PENDING' ? 'You are invited' : 'Invitation'),
  for: 'anyone',
  // Renewed since the page was shown, or kept no longer: the page says so, where an answer would find nothing.
  before: async (visit) =>
    visit.request.method === 'POST' && !(await readInvitation(visit, keptSecret(visit.cookies, kind))) ? invitationPath : undefined,
  about: aboutSecret(kind),
  document: InvitationDocument,
  variables: ({ cookies }) => ({ token: keptSecret(cookies, kind) }),
  forms: {
    accept: form({
      fields: nothing,
      document: AcceptInvitationDocument,
      variables,
      notice: 'You have joined the team.',
      renews: true,
      done({ acceptInvitation }, { cookies }) {
        forgetSecret(cookies, kind)
        return `/teams/${acceptInvitation.team.slug}`
      },
    }),
    decline: form({ fields: nothing, document: DeclineInvitationDocument, variables, notice: 'The invitation was declined.' }),
    switch: form({
      fields: nothing,
      async work(_, { site, request, response }) {
        await site.sessions.signOut(request, response)
        return signInAt(invitationPath)
      },
    }),
  },
  view: ({ invitation }, { person }) => (
    <>
      {invitation ? <InvitationTerms invitation={invitation} /> : <NoInvitation />}
      {invitation?.status === 'PENDING' ? <Answer invitation={invitation} person={person} /> : <ToStart />}
    </>
  ),
})
