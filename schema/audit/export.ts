import { setImmediate } from 'node:timers/promises'
import type { AuditEntry } from '../../prisma/generated/client/client.ts'
import { builder } from '../builder/builder.ts'
import { payloadType } from '../builder/payload-type.ts'
import type { ListQuery } from '../lists/declaration.ts'
import type { List } from '../lists/list.ts'
import { change } from '../core/audit/audit.ts'
import type { Context } from '../core/context.ts'
import { invalid } from '../core/errors.ts'
import { sessionOnly } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { AuditEntryType } from './audit-entry.ts'
import { AuditActionType } from './audit-enums.ts'
import { auditList } from './audit-list.ts'
import type { AuditOrder } from './audit-list.ts'
import { AuditOrderType, auditQuery } from './queries.ts'

/** The entries are in memory while the response is written, about 15 MB for this number. `audit export` of the command line has no limit. */
export const maxExportedEntries = 10_000

/** The cost equals that of 600 pages of 50 rows, which is more than half of the limit: no request exports the log twice. */
export const exportCost = 30_000

/** Number of entries whose fields are resolved in one turn of the event loop. */
const entriesInTurn = 1000

const ExportAuditLogInput = builder.inputType('ExportAuditLogInput', {
  description: 'Which entries, as in `Team.auditEntries`; without filters all.',
  fields: (t) => ({
    team: t.string({ required: true, description: 'Slug of the team.' }),
    action: t.field({ type: AuditActionType, description: 'Only entries of this action.' }),
    actor: t.string({ description: 'Only entries of this actor, by identifier or by a part of the name.' }),
    subject: t.string({ description: 'Only entries about this object, by its identifier.' }),
    since: t.field({ type: 'DateTime', description: 'Only entries at or after this instant.' }),
    until: t.field({ type: 'DateTime', description: 'Only entries before this instant.' }),
    search: t.string({ description: 'Only entries whose subject has a name that contains this text.' }),
    orderBy: t.field({ type: AuditOrderType, description: 'The order; default by time, latest first.' }),
  }),
})

const ExportAuditLogPayload = payloadType<{ entries: AuditEntry[] }>('ExportAuditLogPayload', {
  description: 'Entries of the audit log of a team.',
  fields: (t) => ({
    entries: t.field({
      type: [AuditEntryType],
      description: 'The entries that match.',
      // GraphQL resolves the fields of a list without interruption, except for entries that it has to wait for.
      resolve: ({ entries }) => resolveInTurns(entries, entriesInTurn),
    }),
  }),
})

builder.mutationField('exportAuditLog', (t) =>
  t.field({
    description:
      'Returns all entries of the audit log of a team that match, as of one point in time. It is a mutation because it writes an audit ' +
      `entry. Refused if more than ${maxExportedEntries.toLocaleString('en')} match.\n\nCosts 30,000.`,
    type: ExportAuditLogPayload,
    complexity: { field: exportCost },
    requires: { ...sessionOnly, roles: ['owner'] },
    args: { input: t.arg({ type: ExportAuditLogInput, required: true }) },
    resolve: async (_, { input: { team: slug, ...args } }, context, info) => {
      const { team } = await requireTeamAccess(context, slug)
      const { orderBy: _order, ...filters } = args
      // The entries are read before the transaction, which would hold a connection meanwhile. Nothing is returned without the audit entry.
      const entries = await readEntriesToExport(context, auditList, team.id, auditQuery(args))
      return change(context, info, async () => ({
        result: { entries },
        teamId: team.id,
        subject: team.slug,
        subjectName: team.name,
        after: { ...auditedFilters(filters), entries: entries.length },
      }))
    },
  }),
)

/** Reads all entries of a list that match, as of one point in time. Throws `validation_failed` if there are more than can be exported. */
export async function readEntriesToExport<Filters>(
  context: Context,
  list: List<AuditEntry, AuditOrder, Filters>,
  owner: string,
  query: ListQuery<AuditOrder, Filters>,
): Promise<AuditEntry[]> {
  const slice = { page: 1, perPage: maxExportedEntries, offset: 0 }
  const { nodes, total } = await list.page(context, owner, query, slice, { nodes: true, total: true })
  if (total > maxExportedEntries)
    throw invalid({ team: [`At most ${maxExportedEntries.toLocaleString('en')} entries can be exported at once; ${total} match.`] })
  return [...nodes]
}

/** Returns the filters of the request, as JSON. */
const auditedFilters = (filters: Readonly<Record<string, string | Date | null | undefined>>) =>
  Object.fromEntries(Object.entries(filters).flatMap(([name, value]) => (value == null ? [] : [[name, value]])))

/** Returns the values and resolves `count` of them in each turn of the event loop. The process serves other requests in between. */
function resolveInTurns<Value>(values: readonly Value[], count: number): Promise<Value>[] {
  let turn = Promise.resolve()
  return values.map((value, index) => {
    if (index % count === 0) turn = turn.then(() => setImmediate())
    return turn.then(() => value)
  })
}
