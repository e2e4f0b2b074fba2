import { Button, Form } from '../form.tsx'
import type { InvitationsQuery } from '../generated/operations.ts'
import { NoRows } from '../page-links.tsx'
import { Table } from '../table.tsx'
import { Day, Moment } from '../time.tsx'
import { accessWords, invitationStates, roleNames } from '../words.ts'

type Invitation = InvitationsQuery['team']['invitations']['nodes'][number]

/** A page of invitations, newest first, each with what can still be done. */
export const InvitationList = ({ invitations, isEmpty }: { invitations: readonly Invitation[]; isEmpty: boolean }) => {
  if (invitations.length === 0) return <NoRows isBeyond={!isEmpty}>Nobody was invited yet.</NoRows>
  return (
    <Table labelledBy="invitations">
      <thead>
        <tr>
          <th scope="col">Email address</th>
          <th scope="col">Role</th>
          <th scope="col">Application access</th>
          <th scope="col">State</th>
          <th scope="col">Sent</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {invitations.map((invitation) => (
          <Row invitation={invitation} />
        ))}
      </tbody>
    </Table>
  )
}

const Row = ({ invitation }: { invitation: Invitation }) => {
  const { id, email, role, accessibleAppIds, status, sentAt, expiresAt, answeredAt, canBeResent } = invitation
  return (
    <tr>
      <th scope="row">
        <bdi>{email}</bdi>
      </th>
      <td>{roleNames[role]}</td>
      <td>{accessWords(accessibleAppIds)}</td>
      <td>
        {invitationStates[status]}{' '}
        <span class="about">
          {status === 'PENDING' ? 'until ' : ''}
          <Moment at={answeredAt ?? expiresAt} />
        </span>
      </td>
      <td>
        <Day at={sentAt} />
      </td>
      <td>
        {canBeResent && <Act name="resend" id={id} email={email} label="Send again" />}
        {status === 'PENDING' && <Act name="revoke" id={id} email={email} label="Revoke" />}
      </td>
    </tr>
  )
}

const Act = ({ name, id, email, label }: { name: string; id: string; email: string; label: string }) => (
  <Form name={name} hidden={{ id }}>
    <Button kind="quiet">
      {label}
      <span class="visually-hidden">: {email}</span>
    </Button>{' '}
  </Form>
)
