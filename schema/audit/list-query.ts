import type { AuditEntry } from '../../prisma/generated/client/client.ts'
import { listStatement } from '../builder/list-statement.ts'

export type AuditOrder = 'time' | 'actor' | 'action'
type AuditRow = Omit<AuditEntry, 'at'> & { at: string }

export type AuditFilters = [
  action: string | null,
  actorKind: string | null,
  actorPattern: string | null,
  authenticationMethod: string | null,
  subject: string | null,
  since: Date | null,
  until: Date | null,
  pattern: string | null,
]

/** Reads a page of the changes made in a team. The index on the team and the time finds them; the values are read for the page alone. */
export const findAuditEntries = listStatement<AuditRow, AuditOrder, [teamId: string, ...AuditFilters]>({
  name: 'audit_entries',
  matching: `
    SELECT id, at, action, actor_kind AS "actorKind", actor_user_id AS "actorUserId", actor_name AS "actorName",
      authentication_method AS "authenticationMethod", team_id AS "teamId", subject, subject_name AS "subjectName"
    FROM audit_entries
    WHERE team_id = $3 AND ($4::text IS NULL OR action = $4) AND ($5::text IS NULL OR actor_kind = $5)
      AND ($6::text IS NULL OR actor_name ILIKE $6) AND ($7::text IS NULL OR authentication_method = $7)
      AND ($8::text IS NULL OR subject = $8)
      AND at >= coalesce($9::timestamptz, '-infinity') AND at < coalesce($10::timestamptz, 'infinity')
      AND ($11::text IS NULL OR coalesce(subject_name, subject) ILIKE $11)`,
  columns: 'r.*, (SELECT before FROM audit_entries WHERE id = r.id), (SELECT after FROM audit_entries WHERE id = r.id)',
  orders: { time: 'at', actor: '"actorName"', action: 'action' },
})
