import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { TextArea } from '../../web/components/forms/text-area.tsx'
import { page } from '../framework/page.ts'
import { NewInvitationsDocument } from '../generated/operations.ts'
import { AccessFields } from '../members/app-access-fields.tsx'
import { sendInvitations } from './forms.ts'

/** The form to invite people. The page queries the invitations, so that only users who can send one get the form. */
export const newInvitations = page({
  path: '/teams/:team/invitations/new',
  title: 'Invite people',
  parent: '/teams/:team/invitations',
  document: NewInvitationsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: { invite: sendInvitations },
  view: () => (
    <Form name="invite">
      <TextArea
        name="emails"
        label="Email addresses"
        rows={3}
        hasFocus
        hint="One per line, or separated by commas. People who were already invited get a new link."
      />
      <AccessFields role="MEMBER" accessibleAppIds={null} />
      <Buttons>
        <Button>Send invitations</Button>
      </Buttons>
    </Form>
  ),
})
