import { page } from '../framework/page.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { TextArea } from '../../web/components/forms/text-area.tsx'
import { InvitationsDocument } from '../generated/operations.ts'
import { variablesOf } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { AccessFields } from '../members/app-access-fields.tsx'
import { resend, revoke, sendInvitations } from './forms.ts'
import { invitationsTable } from './invitations-table.tsx'

/** The invitations of a team, and the form to invite a member. */
export const invitations = page({
  path: '/teams/:team/invitations',
  title: 'Invitations',
  nav: { section: 'team', label: 'Invitations', icon: 'mail', order: 30 },
  document: InvitationsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...variablesOf(invitationsTable, ctx.query) }),
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
      <DataTable table={invitationsTable} ctx={ctx} list={invitations} />
    </>
  ),
})
