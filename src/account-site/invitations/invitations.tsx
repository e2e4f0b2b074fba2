import { page } from '../framework/page.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { TextArea } from '../../web/components/forms/text-area.tsx'
import { InvitationsDocument } from '../generated/operations.ts'
import { PageLinks, pageNumberOf } from '../../web/components/page-links.tsx'
import { AccessFields } from '../members/app-access-fields.tsx'
import { resend, revoke, sendInvitations } from './forms.ts'
import { InvitationList } from './invitation-list.tsx'

/** The invitations of a team, and the form to invite a member. */
export const invitations = page({
  path: '/teams/:team/invitations',
  title: 'Invitations',
  nav: { section: 'team', label: 'Invitations', order: 30 },
  document: InvitationsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), page: pageNumberOf(ctx.query) }),
  forms: { invite: sendInvitations, resend, revoke },
  view: ({ team: { invitations } }, ctx) => (
    <>
      <section>
        <h2>Invite people</h2>
        <Form name="invite">
          <TextArea
            name="emails"
            label="Email addresses"
            rows={3}
            hint="One per line, or separated by commas. People who were already invited get a new link."
          />
          <AccessFields role="MEMBER" accessibleAppIds={null} />
          <Buttons>
            <Button>Send invitations</Button>
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
