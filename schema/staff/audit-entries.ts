import type { AuditEntry } from '../../prisma/generated/client/client.ts'
import { UserType } from '../accounts/user.ts'
import { AuditEntryType } from '../audit/audit-entry.ts'
import type { ActorKind, AuthenticationMethod } from '../audit/audit-enums.ts'
import { auditFilterArguments } from '../audit/queries.ts'
import { builder } from '../builder/builder.ts'
import { pageType } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { withDates } from '../builder/with-dates.ts'
import { parse, text } from '../core/validation.ts'
import { connectionType } from '../lists/connection.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { TeamType } from '../teams/team.ts'
import { allRowsOf, searchCost, StaffType } from './staff.ts'
import { findTeamById } from './teams.ts'
import { ownerRules } from './tokens.ts'
import { findUserById } from './users.ts'

type AuditOrder = 'time' | 'actor' | 'action'
type AuditRow = Omit<AuditEntry, 'at'> & { at: string }

interface AuditFilters {
  action?: string | null | undefined
  actorKind?: ActorKind | null | undefined
  authenticationMethod?: AuthenticationMethod | null | undefined
  /** A pattern of the actor's name. */
  actor?: string | null
  subject?: string | null | undefined
  since?: Date | null | undefined
  /** Exclusive. */
  until?: Date | null | undefined
  /** A pattern of the name of the subject. */
  search?: string | null
  /** Slug of the team. */
  team?: string | null | undefined
  /** E-mail address of the acting user. */
  user?: string | null | undefined
}

const entryList = defineList<AuditRow, AuditEntry, AuditOrder, AuditFilters>({
  name: 'staff audit entries',
  rows: allRowsOf('audit_entries'),
  id: 'r.id',
  columns: `r.id, r.at, r.action, r.actor_kind AS "actorKind", r.actor_user_id AS "actorUserId", r.actor_name AS "actorName",
    r.authentication_method AS "authenticationMethod", r.credential_id AS "credentialId", r.team_id AS "teamId", r.subject,
    r.subject_name AS "subjectName", r.before, r.after, r.request_id AS "requestId"`,
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
    actorKind: ({ value }) => `r.actor_kind = ${value}`,
    authenticationMethod: ({ value }) => `r.authentication_method = ${value}`,
    actor: ({ value }) => `r.actor_name ILIKE ${value}`,
    subject: ({ value }) => `r.subject = ${value}`,
    since: ({ value }) => `r.at >= ${value}::timestamptz`,
    until: ({ value }) => `r.at < ${value}::timestamptz`,
    search: ({ value }) => `coalesce(r.subject_name, r.subject) ILIKE ${value}`,
    team: ({ value }) => `r.team_id = (SELECT id FROM teams WHERE slug = ${value})`,
    user: ({ value }) => `r.actor_user_id = (SELECT id FROM users WHERE email = lower(${value}))`,
  },
  toNode: (row) => withDates(row, ['at']),
})

const OrderType = orderByType('StaffAuditOrder', 'audit entries', {
  time: 'When the change was made.',
  actor: 'The name of the actor, then the time.',
  action: 'The name of the action, then the time.',
} satisfies Record<AuditOrder, string>)

const rules = ownerRules.extend({ subject: text.trim().max(255).nullish() })

const StaffAuditEntryType = builder.objectRef<AuditEntry>('StaffAuditEntry').implement({
  description: 'An audit entry of any team, or of none, for staff.',
  fields: (t) => ({
    entry: t.field({ type: AuditEntryType, description: 'The entry.', resolve: (entry) => entry }),
    team: t.field({
      type: TeamType,
      nullable: true,
      description: 'The team concerned; null if there is none, or if it no longer exists.',
      resolve: ({ teamId }, _, context) => (teamId === null ? null : findTeamById(context, teamId)),
    }),
    actor: t.field({
      type: UserType,
      nullable: true,
      description: 'The user who acted; null for other actors, and if the account no longer exists.',
      resolve: ({ actorUserId }, _, context) => (actorUserId === null ? null : findUserById(context, actorUserId)),
    }),
  }),
})

builder.objectFields(StaffType, (t) =>
  listFields(t, 'auditEntries', {
    description: 'The changes made in all teams and accounts, and what staff have read, by default latest first.',
    page: pageType('StaffAuditEntryPage', StaffAuditEntryType),
    connection: connectionType('StaffAuditEntry', StaffAuditEntryType),
    list: entryList,
    cost: searchCost,
    args: builder.args((t) => ({
      ...auditFilterArguments,
      team: t.string({ description: 'Only entries about the team with this slug.' }),
      user: t.string({ description: 'Only entries of the user with this e-mail address.' }),
      orderBy: t.field({ type: OrderType, description: 'The order; default by time, latest first.' }),
    })),
    query: ({ orderBy, team, user, subject, actor, search, ...filters }) => ({
      filters: { ...filters, ...parse(rules, { team, user, subject }), actor: searchPattern(actor), search: searchPattern(search) },
      orderBy: orderBy ?? { field: 'time', direction: 'desc' },
    }),
  }),
)
