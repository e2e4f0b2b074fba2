import { Address } from '../../web/components/address.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import type { InvitationsQuery, InvitationStatus } from '../generated/operations.ts'
import { invitationStatusLabels, roleNames } from '../labels.ts'
import { ProductAccess } from '../members/product-access.tsx'
import { defineTable } from '../table/declaration.ts'
import { InvitationActions } from './actions.tsx'

type Invitation = InvitationsQuery['team']['invitations']['nodes'][number]

const kinds: Record<InvitationStatus, string> = { PENDING: 'info', ACCEPTED: 'good', DECLINED: '', REVOKED: '', EXPIRED: 'caution' }

/** All invitations to a team. */
export const invitationsTable = defineTable({
  noun: ['invitation', 'invitations'],
  nameOf: ({ email }: Invitation) => email,
  search: 'Email address',
  filters: { status: { label: 'Status', options: invitationStatusLabels } },
  columns: [
    { label: 'Email address', phone: 'name', sort: 'EMAIL', cell: ({ email }) => <Address>{email}</Address> },
    { label: 'Role', phone: 'state', cell: ({ role }) => roleNames[role] },
    { label: 'Products', phone: 'detail', cell: ({ accessibleAppIds }) => <ProductAccess ids={accessibleAppIds} /> },
    {
      label: 'Status',
      phone: 'state',
      cell: ({ status, answeredAt, expiresAt }) => (
        <>
          <span class={`badge ${kinds[status]}`}>{invitationStatusLabels[status]}</span>{' '}
          <span class="about">
            {status === 'PENDING' ? (
              <>
                until <Day at={expiresAt} />
              </>
            ) : (
              <RelativeTime at={answeredAt ?? expiresAt} />
            )}
          </span>
        </>
      ),
    },
    {
      label: 'Sent',
      phone: 'detail',
      sort: 'SENT',
      descendsFirst: true,
      cell: ({ sentAt, isFromDirectory }) => (
        <>
          <Day at={sentAt} /> {isFromDirectory && <span class="badge">Invited by the directory</span>}
        </>
      ),
    },
  ],
  sort: 'SENT',
  isDescending: true,
  empty: 'Invite someone to work with you.',
  menu: ({ id, email, status, canBeResent }) =>
    canBeResent ? <InvitationActions id={id} email={email} canBeResent isPending={status === 'PENDING'} /> : null,
})
