import { z } from 'zod'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/button.tsx'
import { Field } from '../../web/components/field.tsx'
import { Form } from '../../web/components/form.tsx'
import { InvitationsDocument, InviteMemberDocument, ResendInvitationDocument, RevokeInvitationDocument } from '../generated/operations.ts'
import { PageLinks, pageNumberOf } from '../../web/components/page-links.tsx'
import { AccessFields, accessFields, accessInputOf } from '../members/app-access-fields.tsx'
import { InvitationList } from './invitation-list.tsx'

const idFields = z.object({ id: text })

/** The invitations of a team, and the form to invite a member. */
export const invitations = page({
  path: '/teams/:team/invitations',
  title: 'Invitations',
  nav: { section: 'team', label: 'Invitations', order: 30 },
  document: InvitationsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), page: pageNumberOf(ctx.query) }),
  forms: {
    invite: form({
      fields: accessFields.extend({ email: text }),
      document: InviteMemberDocument,
      variables: ({ email, ...fields }, ctx) => ({ input: { team: ctx.param('team'), email, ...accessInputOf(fields) } }),
      notice: 'The invitation was sent.',
      // Redirects to the first page, which lists the new invitation.
      onSuccess: (_, { path }) => path,
    }),
    resend: form({
      fields: idFields,
      document: ResendInvitationDocument,
      variables: (input) => ({ input }),
      notice: 'The invitation was resent. The earlier link no longer works.',
    }),
    revoke: form({
      fields: idFields,
      document: RevokeInvitationDocument,
      variables: (input) => ({ input }),
      notice: 'The invitation was revoked. Its link no longer works.',
    }),
  },
  view: ({ team: { invitations } }, ctx) => (
    <>
      <section>
        <h2>Invite a member</h2>
        <Form name="invite">
          <Field
            name="email"
            label="Email address"
            inputMode="email"
            autocomplete="off"
            hint="If this person was already invited, they get a new link."
          />
          <AccessFields role="MEMBER" accessibleAppIds={null} />
          <Buttons>
            <Button>Send invitation</Button>
          </Buttons>
        </Form>
      </section>
      <section>
        <h2 id="invitations">Invitations</h2>
        <InvitationList invitations={invitations.nodes} isEmpty={invitations.total === 0} />
        <PageLinks label="Pages of invitations" path={ctx.path} query={ctx.query} list={invitations} />
      </section>
    </>
  ),
})
