import type { Invitation, InvitationStatus } from '../../prisma/generated/client/client.ts'
import { listStatement } from '../builder/list-statement.ts'

export type InvitationOrder = 'created' | 'email' | 'sent'

export const invitationInstants = ['createdAt', 'sentAt', 'expiresAt', 'answeredAt'] as const
type Instant = (typeof invitationInstants)[number]
type InvitationRow = Omit<Invitation, Instant> & { [Name in Instant]: string | Extract<Invitation[Name], null> }
type Values = [teamId: string, now: Date, status: InvitationStatus | null, pattern: string | null]

/** Reads a page of a team's invitations. The index on the team finds them. Nothing from which a link follows is selected. */
export const findInvitations = listStatement<InvitationRow, InvitationOrder, Values>({
  name: 'invitations',
  matching: `
    SELECT i.id, i.team_id AS "teamId", i.email, i.role, i.all_applications AS "allApplications", to_json(i.applications) AS applications,
      i.status, i.created_at AS "createdAt", i.sent_at AS "sentAt", i.expires_at AS "expiresAt", i.answered_at AS "answeredAt"
    FROM invitations i
    WHERE i.team_id = $3 AND ($6::text IS NULL OR i.email ILIKE $6)
      AND ($5::text IS NULL OR CASE WHEN i.status = 'pending' AND i.expires_at <= $4 THEN 'expired' ELSE i.status::text END = $5)`,
  columns: 'r.*',
  orders: { created: '"createdAt"', email: 'email', sent: '"sentAt"' },
})
