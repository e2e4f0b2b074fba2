import type { InputShapeFromFields } from '@pothos/core'
import type { AuditEntry } from '../../prisma/generated/client/client.ts'
import { UserType } from '../accounts/user.ts'
import { AuditEntryType } from '../audit/audit-entry.ts'
import { auditEntries } from '../audit/audit-list.ts'
import type { AuditFilters, AuditOrder, AuditRow } from '../audit/audit-list.ts'
import { auditArguments, auditQuery } from '../audit/queries.ts'
import { builder } from '../builder/builder.ts'
import { exportCost, maxExportedEntries, readEntriesToExport } from '../audit/export.ts'
import { pageType } from '../builder/pagination.ts'
import type { Context } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier } from '../core/validation.ts'
import { connectionType } from '../lists/connection.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { TeamType } from '../teams/team.ts'
import { ownerFilters } from './owner-filters.ts'
import type { OwnerFilters } from './owner-filters.ts'
import { selectAllRows, searchCost, StaffType } from './staff.ts'
import { toShownEntry } from './shown-entry.ts'
import { findTeamById } from './staff-teams.ts'
import { findUserById } from './users.ts'

interface StaffAuditFilters extends AuditFilters, OwnerFilters {}

const entryList = defineList<AuditRow, AuditEntry, AuditOrder, StaffAuditFilters>({
  ...auditEntries,
  name: 'staff audit entries',
  rows: selectAllRows('audit_entries'),
  filters: {
    ...auditEntries.filters,
    teamId: ({ value }) => `r.team_id = ${value}::uuid`,
    userId: ({ value }) => `r.actor_user_id = ${value}::uuid`,
  },
})

const StaffAuditEntryType = builder.objectRef<AuditEntry>('StaffAuditEntry').implement({
  description: 'An audit entry of any team, or of none, for staff.',
  fields: (t) => ({
    entry: t.field({
      type: AuditEntryType,
      description: 'The entry. Of the URLs of webhooks, it has only the origin.',
      resolve: toShownEntry,
    }),
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

const filterArguments = builder.args((t) => ({
  ...auditArguments,
  team: t.string({ description: 'Only entries about the team with this slug.' }),
  user: t.string({ description: 'Only entries of the user with this email address, identifier or global id.' }),
}))

/** Returns the query of the list that the arguments request. */
async function entryQuery({ team, user, ...args }: InputShapeFromFields<typeof filterArguments>, context: Context) {
  const { filters, orderBy } = auditQuery(args)
  return { filters: { ...filters, ...(await ownerFilters(context, { team, user })) }, orderBy }
}

builder.objectFields(StaffType, (t) => ({
  ...listFields(t, 'auditEntries', {
    description: 'The changes made in all teams and accounts, and what staff have read, by default latest first.',
    page: pageType('StaffAuditEntryPage', StaffAuditEntryType),
    connection: connectionType('StaffAuditEntry', StaffAuditEntryType),
    list: entryList,
    cost: searchCost,
    args: filterArguments,
    query: entryQuery,
  }),
  auditEntry: t.field({
    description: 'One entry of the audit log of any team, or of none.',
    type: StaffAuditEntryType,
    args: { id: t.arg.id({ required: true, description: 'The entry’s identifier, or the global id.' }) },
    resolve: async (_, args, { database: { prisma } }) => {
      const id = parseIdentifier(args.id, ['AuditEntry'])
      const entry = isIdentifier(id) ? await prisma.auditEntry.findUnique({ where: { id } }) : null
      if (!entry) throw notFound()
      return entry
    },
  }),
  auditExport: t.field({
    description: `All entries that match, as of one point in time. Refused if more than ${maxExportedEntries.toLocaleString('en')} match.\n\nCosts 30,000.`,
    type: [StaffAuditEntryType],
    complexity: { field: exportCost },
    args: filterArguments,
    resolve: async ({ id }, args, context) => readEntriesToExport(context, entryList, id, await entryQuery(args, context)),
  }),
}))
