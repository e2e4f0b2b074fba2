import type { Invitation, InvitationStatus } from '../../prisma/generated/client/client.ts'
import { withDates } from '../builder/with-dates.ts'
import { defineList } from '../lists/list.ts'

export type InvitationOrder = 'created' | 'email' | 'sent'

export interface InvitationFilters {
  /** The status at the time of the request. */
  status?: InvitationStatus | null | undefined
  /** Pattern for the address. */
  search?: string | null
}

export const invitationInstants = ['createdAt', 'sentAt', 'expiresAt', 'answeredAt'] as const
type Instant = (typeof invitationInstants)[number]
export type InvitationRow = Omit<Invitation, Instant> & { [Name in Instant]: string | Extract<Invitation[Name], null> }

/** Selects an invitation `r`, without values from which its link can be derived. */
export const invitationColumns = `r.id, r.team_id AS "teamId", r.email, r.role, r.all_applications AS "allApplications",
  to_json(r.applications) AS applications, r.status, r.invited_by_id AS "invitedById", r.invited_by_token_id AS "invitedByTokenId",
  r.invited_by_machine_id AS "invitedByMachineId", r.directory_user_id AS "directoryUserId", r.accepted_by_id AS "acceptedById", r.created_at AS "createdAt", r.sent_at AS "sentAt", r.expires_at AS "expiresAt",
  r.answered_at AS "answeredAt"`

/** Builds the SQL condition for an invitation `r` whose status is `status` by the rule of `statusAt`. */
const hasStatusAt = (status: string, now: string) =>
  `(r.status = ${status} AND (${status} <> 'pending' OR r.expires_at > ${now})
    OR ${status} = 'expired' AND r.status = 'pending' AND r.expires_at <= ${now})`

/** The invitations to a team. */
export const invitationList = defineList<InvitationRow, Invitation, InvitationOrder, InvitationFilters>({
  name: 'invitations',
  rows: (team) => `FROM invitations r WHERE r.team_id = ${team}`,
  id: 'r.id',
  columns: invitationColumns,
  orders: {
    created: { keys: [['r.created_at', 'timestamptz']] },
    email: { keys: [['r.email', 'text']] },
    sent: { keys: [['r.sent_at', 'timestamptz']] },
  },
  filters: {
    status: ({ value, now }) => hasStatusAt(`${value}::"InvitationStatus"`, now),
    search: ({ value }) => `r.email ILIKE ${value}`,
  },
  toNode: (row) => withDates(row, invitationInstants),
})
