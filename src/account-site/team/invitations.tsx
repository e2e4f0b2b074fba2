import { z } from 'zod'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { InvitationsDocument, InviteMemberDocument, ResendInvitationDocument, RevokeInvitationDocument } from '../generated/operations.ts'
import { PageLinks, pageOf } from '../page-links.tsx'
import { AccessChoices, accessFields, accessOf } from './access-fields.tsx'
import { InvitationList } from './invitation-list.tsx'

const byId = z.object({ id: text })

/** Who is invited to a team, and inviting. */
export const invitations = page({
  path: '/teams/:team/invitations',
  title: 'Invitations',
  nav: { in: 'team', label: 'Invitations', order: 30 },
  document: InvitationsDocument,
  variables: (visit) => ({ team: visit.param('team'), page: pageOf(visit.query) }),
  forms: {
    invite: form({
      fields: accessFields.extend({ email: text }),
      document: InviteMemberDocument,
      variables: ({ email, ...fields }, visit) => ({ input: { team: visit.param('team'), email, ...accessOf(fields) } }),
      notice: 'The invitation is on its way.',
      // To the first page, where it stands.
      done: (_, { path }) => path,
    }),
    resend: form({
      fields: byId,
      document: ResendInvitationDocument,
      variables: (input) => ({ input }),
      notice: 'The invitation was sent again. Its earlier link no longer works.',
    }),
    revoke: form({
      fields: byId,
      document: RevokeInvitationDocument,
      variables: (input) => ({ input }),
      notice: 'The invitation was revoked. Its link no longer works.',
    }),
  },
  view: ({ team: { invitations } }, visit) => (
    <>
      <section>
        <h2>Invite somebody</h2>
        <Form name="invite">
          <Field name="email" label="Email address" inputMode="email" autocomplete="off" hint="Somebody invited before gets a new link." />
          <AccessChoices role="MEMBER" accessibleAppIds={null} />
          <Buttons>
            <Button>Send the invitation</Button>
          </Buttons>
        </Form>
      </section>
      <section>
        <h2 id="invitations">Invitations so far</h2>
        <InvitationList invitations={invitations.nodes} isEmpty={invitations.total === 0} />
        <PageLinks label="Pages of invitations" path={visit.path} query={visit.query} list={invitations} />
      </section>
    </>
  ),
})
