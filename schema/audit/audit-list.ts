import type { AuditEntry } from '../../prisma/generated/client/client.ts'
import { withDates } from '../builder/with-dates.ts'
import type { ListDeclaration } from '../lists/declaration.ts'
import { defineList } from '../lists/list.ts'
import type { ActorKind, AuthenticationMethod } from './audit-enums.ts'

export type AuditOrder = 'time' | 'actor' | 'action'
export type AuditRow = Omit<AuditEntry, 'at'> & { at: string }

export interface AuditFilters {
  action?: string | null | undefined
  authenticationMethod?: AuthenticationMethod | null | undefined
  actorKind?: ActorKind | null | undefined
  /** Pattern for the actor's name. */
  actor?: string | null
  /** Identifier of the user who acted. */
  actorUserId?: string | null
  /** Identifier of the subject, the object that was changed. */
  subject?: string | null
  since?: Date | null | undefined
  /** End of the period, exclusive. */
  until?: Date | null | undefined
  /** Pattern for the name of the subject. */
  search?: string | null
}

/** Parts that the lists of audit entries of one team and of all teams share. */
export const auditEntries = {
  id: 'r.id',
  columns: `r.id, r.at, r.action, r.actor_kind AS "actorKind", r.actor_user_id AS "actorUserId", r.actor_name AS "actorName",
    r.authentication_method AS "authenticationMethod", r.credential_id AS "credentialId", r.client_name AS "clientName", r.team_id AS "teamId", r.subject,
    r.subject_name AS "subjectName", r.before, r.after, r.reason, r.request_id AS "requestId"`,
  orders: {
    time: { keys: [['r.at', 'timestamptz']] },
    actor: {
      keys: [
        ['r.actor_name', 'text'],
        ['r.at', 'timestamptz'],
      ],
    },
    action: {
      keys: [
        ['r.action', 'text'],
        ['r.at', 'timestamptz'],
      ],
    },
  },
  filters: {
    action: ({ value }) => `r.action = ${value}`,
    authenticationMethod: ({ value }) => `r.authentication_method = ${value}`,
    actorKind: ({ value }) => `r.actor_kind = ${value}`,
    actor: ({ value }) => `r.actor_name ILIKE ${value}`,
    actorUserId: ({ value }) => `r.actor_user_id = ${value}::uuid`,
    subject: ({ value }) => `r.subject = ${value}`,
    since: ({ value }) => `r.at >= ${value}::timestamptz`,
    until: ({ value }) => `r.at < ${value}::timestamptz`,
    search: ({ value }) => `coalesce(r.subject_name, r.subject) ILIKE ${value}`,
  },
  toNode: (row) => withDates(row, ['at']),
} as const satisfies Omit<ListDeclaration<AuditRow, AuditEntry, AuditOrder, AuditFilters>, 'name' | 'rows'>

/** The changes made in a team. */
export const auditList = defineList<AuditRow, AuditEntry, AuditOrder, AuditFilters>({
  ...auditEntries,
  name: 'audit_entries',
  rows: (team) => `FROM audit_entries r WHERE r.team_id = ${team}`,
})
