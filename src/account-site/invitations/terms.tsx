import type { InvitationQuery } from '../generated/operations.ts'
import { Initials, Name } from '../../web/components/name.tsx'
import { accessLabel, roleNames } from '../labels.ts'
import { DateTime } from '../../web/components/time.tsx'

export type Invitation = NonNullable<InvitationQuery['invitation']>

/** The terms and the status of an invitation. */
export const InvitationTerms = ({ invitation }: { invitation: Invitation }) => (
  <>
    <p class="who">
      <Initials name={invitation.teamName} />
      <span>
        {invitation.inviterName === null ? (
          <>An invitation to join</>
        ) : (
          <>
            <Name>{invitation.inviterName}</Name> invites you to join
          </>
        )}{' '}
        the team <Name>{invitation.teamName}</Name>
      </span>
    </p>
    {invitation.status === 'PENDING' ? <Terms invitation={invitation} /> : <Ended invitation={invitation} />}
  </>
)

const Terms = ({ invitation: { email, role, accessibleAppIds, expiresAt } }: { invitation: Invitation }) => (
  <dl>
    <dt>For</dt>
    <dd>
      <bdi>{email}</bdi>
    </dd>
    <dt>Role</dt>
    <dd>{roleNames[role]}</dd>
    <dt>Application access</dt>
    <dd>{accessLabel(accessibleAppIds)}</dd>
    <dt>Expires</dt>
    <dd>
      <DateTime at={expiresAt} />
    </dd>
  </dl>
)

const Ended = ({ invitation: { status, expiresAt } }: { invitation: Invitation }) => {
  switch (status) {
    case 'ACCEPTED':
      return <p>This invitation was accepted. The team is found from the start page, once you are signed in.</p>
    case 'DECLINED':
      return <p>This invitation was declined. Should that have been a mistake, ask an owner of the team for a new one.</p>
    case 'REVOKED':
      return <p>This invitation was revoked by the team. Ask an owner of the team if you expected to join it.</p>
    default:
      return (
        <p>
          This invitation expired on <DateTime at={expiresAt} isExact />. Ask an owner of the team to send it again.
        </p>
      )
  }
}

/** Shown for unknown links. They are indistinguishable from links that a newer one replaced, which is the usual case. */
export const NoInvitation = () => (
  <>
    <p>There is no invitation here. Its link may have been replaced by a newer one, be incomplete, or have been opened long ago.</p>
    <p>Open the link in the newest mail, or ask an owner of the team to invite you again.</p>
  </>
)
