import { Button } from '../../web/components/forms/button.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Form } from '../../web/components/forms/form.tsx'

interface InvitationActionsProps {
  id: string
  email: string
  canBeResent: boolean
  isPending: boolean
}

/** Buttons to resend or revoke an invitation. */
export const InvitationActions = ({ id, email, canBeResent, isPending }: InvitationActionsProps) => (
  <>
    {canBeResent && (
      <Form name="resend" hidden={{ id }}>
        <Button kind="quiet">
          Send again
          <span class="visually-hidden">: {email}</span>
        </Button>{' '}
      </Form>
    )}
    {isPending && (
      <ConfirmDialog summary="Revoke" objectName={email} form="revoke" hidden={{ id }} button="Revoke invitation">
        The link in the email stops working. You can invite this email address again.
      </ConfirmDialog>
    )}
  </>
)
