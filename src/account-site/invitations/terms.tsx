import { Address, Name } from '../../web/components/address.tsx'
import type { InvitationQuery } from '../generated/operations.ts'
import { Avatar } from '../../web/components/avatar.tsx'
import { accessLabel, roleNames } from '../labels.ts'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'

export type Invitation = NonNullable<InvitationQuery['invitation']>

/** The terms and the status of an invitation. */
export const InvitationTerms = ({ invitation }: { invitation: Invitation }) => (
  <>
    <p class="who">
      <Avatar name={invitation.teamName} of="team" picture={invitation.teamLogoUrl} />
      <span>
        <Inviter invitation={invitation} /> the team <Name>{invitation.teamName}</Name>
      </span>
    </p>
    {invitation.status === 'PENDING' ? <Terms invitation={invitation} /> : <Ended invitation={invitation} />}
  </>
)

const Inviter = ({ invitation: { inviterName, isFromDirectory, teamName } }: { invitation: Invitation }) => {
  if (inviterName !== null)
    return (
      <>
        <Name>{inviterName}</Name> invites you to join
      </>
    )
  if (!isFromDirectory) return <>You are invited to join</>
  return (
    <>
      The directory of <Name>{teamName}</Name> invites you to join
    </>
  )
}

const Terms = ({ invitation: { email, role, accessibleAppIds, expiresAt } }: { invitation: Invitation }) => (
  <dl>
    <dt>For</dt>
    <dd>
      <Address>{email}</Address>
    </dd>
    <dt>Role</dt>
    <dd>{roleNames[role]}</dd>
    <dt>Product access</dt>
    <dd>{accessLabel(accessibleAppIds)}</dd>
    <dt>Expires</dt>
    <dd>
      <RelativeTime at={expiresAt} />
    </dd>
  </dl>
)

const Ended = ({ invitation: { status, expiresAt } }: { invitation: Invitation }) => {
  switch (status) {
    case 'ACCEPTED':
      return <p>This invitation was accepted. Sign in to open the team.</p>
    case 'DECLINED':
      return <p>This invitation was declined. If that was a mistake, ask a team owner for a new one.</p>
    case 'REVOKED':
      return <p>This invitation was revoked. If you expected to join, contact a team owner.</p>
    default:
      return (
        <p>
          This invitation expired on <DateTime at={expiresAt} />. Ask a team owner to send it again.
        </p>
      )
  }
}

/** A text for unknown links. They look the same as links that a newer one replaced, which is the usual case. */
export const NoInvitation = () => (
  <>
    <p>We could not find this invitation. The link may be incomplete, expired, or replaced by a newer one.</p>
    <p>Open the link in the most recent email, or ask a team owner for a new invitation.</p>
  </>
)
