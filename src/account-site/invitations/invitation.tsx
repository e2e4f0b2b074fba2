import { z } from 'zod'
import { shownAddress } from '../../../schema/core/mails/placeholder-address.ts'
import type { UserPrincipal } from '../../../schema/core/principals.ts'
import { StrongAddress, Name } from '../../web/components/address.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { quoteName } from '../../web/display-name.ts'
import { StartPageLink } from '../../web/layout.tsx'
import { invitationPath, signInAt, emailPath, signUpPath } from '../../web/page-paths.ts'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { page } from '../framework/page.ts'
import { AcceptInvitationDocument, DeclineInvitationDocument, InvitationDocument } from '../generated/operations.ts'
import { linkSecretSubject, clearLinkSecret, savedLinkSecret } from '../mail-links/opened-link.ts'
import { joined, joinAfterSignUp } from './join.ts'
import { findInvitation } from './open-invitation.ts'
import { InvitationTerms, NoInvitation } from './terms.tsx'
import type { Invitation } from './terms.tsx'

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
      {invitation?.status === 'PENDING' ? <InvitationReply invitation={invitation} person={person} /> : <StartPageLink />}
    </>
  ),
})

interface InvitationReplyProps {
  invitation: Invitation
  /** The signed-in user, or null. */
  person: UserPrincipal | null
}

/** The buttons to accept or decline a pending invitation, or a step that is required first, such as signing in. */
const InvitationReply = ({ invitation, person }: InvitationReplyProps) => {
  if (person === null) return <ForAnonymous email={invitation.email} />
  if (person.user.email !== invitation.email)
    return <ForAnother invited={invitation.email} signedInAs={shownAddress(person.user.email, person.user.name)} />
  if (!person.user.emailVerified) return <Unverified email={invitation.email} />
  return (
    <>
      {invitation.isVoid && <p>The sender of this invitation can no longer invite members. Ask a team owner for a new invitation.</p>}
      <Buttons>
        {!invitation.isVoid && (
          <Form name="accept">
            <Button>Join team</Button>
          </Form>
        )}
        <Form name="decline" hidden={{ team: invitation.teamName }}>
          <Button kind="second">Decline</Button>
        </Form>
      </Buttons>
    </>
  )
}

const ForAnonymous = ({ email }: { email: string }) => (
  <>
    <p>
      To join, sign in as <StrongAddress>{email}</StrongAddress> or create an account.
    </p>
    <Buttons>
      <a class="button" href={signInAt(invitationPath)}>
        Sign in
      </a>{' '}
      <a class="button second" href={signUpPath}>
        Create account
      </a>
    </Buttons>
  </>
)

const ForAnother = ({ invited, signedInAs }: { invited: string; signedInAs: string }) => (
  <>
    <p>
      This invitation is for <Name>{invited}</Name>, but you are signed in as <Name>{signedInAs}</Name>. Sign in with the invited email
      address, or ask an owner of the team to invite the email address that you use.
    </p>
    <Form name="switch">
      <Buttons>
        <Button>Use another account</Button>
      </Buttons>
    </Form>
  </>
)

const Unverified = ({ email }: { email: string }) => (
  <p>
    Before you can accept or decline this invitation, verify <StrongAddress>{email}</StrongAddress>: open the link in the email that we sent
    when you created your account. You can <a href={emailPath}>send it again</a>. Then come back to this page.
  </p>
)
