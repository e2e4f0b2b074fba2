import type { InvitationsQuery } from '../generated/operations.ts'
import { EmptyList } from '../../web/components/page-links.tsx'
import { Table } from '../../web/components/table.tsx'
import { Day, DateTime } from '../../web/components/time.tsx'
import { InvitationActions } from './actions.tsx'
import { accessLabel, invitationStatusLabels, roleNames } from '../labels.ts'

type Invitation = InvitationsQuery['team']['invitations']['nodes'][number]

/** A page of invitations, newest first, each with its possible actions. */
export const InvitationList = ({ invitations, isEmpty }: { invitations: readonly Invitation[]; isEmpty: boolean }) => {
  if (invitations.length === 0) return <EmptyList isBeyond={!isEmpty}>No invitations yet.</EmptyList>
  return (
    <Table labelledBy="invitations">
      <thead>
        <tr>
          <th scope="col">Email address</th>
          <th scope="col">Role</th>
          <th scope="col">Product access</th>
          <th scope="col">Status</th>
          <th scope="col">Sent</th>
          <th scope="col">Actions</th>
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
      <td>{accessLabel(accessibleAppIds)}</td>
      <td>
        {invitationStatusLabels[status]}{' '}
        <span class="about">
          {status === 'PENDING' ? 'until ' : ''}
          <DateTime at={answeredAt ?? expiresAt} isExact={status === 'PENDING'} />
        </span>
      </td>
      <td>
        <Day at={sentAt} />
      </td>
      <td>
        <InvitationActions id={id} email={email} canBeResent={canBeResent} isPending={status === 'PENDING'} />
      </td>
    </tr>
  )
}
