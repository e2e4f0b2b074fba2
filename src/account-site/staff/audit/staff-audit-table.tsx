import { Name } from '../../../web/components/address.tsx'
import { actionLabels, EntryTime, readPeriod } from '../../audit/audit-table.tsx'
import { actionLabel, isTeamAction } from '../../audit/actions.ts'
import { splitWords } from '../../audit/changes.ts'
import { Actor } from '../../audit/actor.tsx'
import { Sentence } from '../../audit/sentence.tsx'
import type { PageContext } from '../../framework/page-context.ts'
import type { StaffEntryPartsFragment } from '../../generated/operations.ts'
import { addressWith, readListVariables, rowAddress } from '../../table/address.ts'
import { defineTable } from '../../table/declaration.ts'
import { staffTeamAt } from '../staff-paths.ts'

/** The table of what was changed in all teams and accounts, and of what staff have read. */
export const staffAuditTable = defineTable({
  noun: ['entry', 'entries'],
  getName: ({ entry }: StaffEntryPartsFragment) => `${actionLabel(entry)}: ${formatTarget(entry)}`,
  search: 'Target',
  filters: {
    action: { label: 'Action', options: actionLabels },
    actor: { label: 'Actor' },
    team: { label: 'Team' },
    user: { label: 'User', isFromLink: true },
    subject: { label: 'Object ID', isFromLink: true },
    from: { label: 'From', isDay: true },
    to: { label: 'To', isDay: true },
  },
  columns: [
    { label: 'Actor', phone: 'name', sort: 'ACTOR', cell: ({ entry }) => <Actor entry={entry} /> },
    {
      label: 'Action',
      phone: 'state',
      sort: 'ACTION',
      cell: ({ entry, team }) => (
        <span class="sentence">
          {/* The sentence of a reading is about the team whose owners read it. */}
          {team === null && entry.action === 'READ_AS_STAFF' ? `read ${formatTarget(entry)} as staff` : <Sentence entry={entry} />}
        </span>
      ),
    },
    {
      label: 'Team',
      phone: 'detail',
      cell: ({ team }) =>
        team && (
          <a href={staffTeamAt(team.slug)}>
            <Name>{team.name}</Name>
          </a>
        ),
    },
    {
      label: 'Time',
      phone: 'name',
      sort: 'TIME',
      descendsFirst: true,
      cell: ({ entry }, ctx) => (
        <a class="entry" href={rowAddress(ctx, entry.id)}>
          <EntryTime {...entry} />
        </a>
      ),
    },
  ],
  sort: 'TIME',
  isDescending: true,
  empty: 'No activity yet.',
  menu: ({ entry: { action, subject }, actor, team }, { path, query }) => (
    <>
      {isTeamAction(action) && <a href={addressWith(path, query, { action })}>Show only this action</a>}
      {actor && <a href={addressWith(path, query, { user: actor.userId })}>Show only this person</a>}
      {team && <a href={addressWith(path, query, { team: team.slug })}>Show only this team</a>}
      <a href={addressWith(path, query, { subject })}>Show only this object</a>
    </>
  ),
})

/** Returns the name of the target. That of a reading is a field of `staff`, in words: `auditEntries` is `audit entries`. */
function formatTarget({ action, subject, subjectName }: StaffEntryPartsFragment['entry']): string {
  if (action !== 'READ_AS_STAFF' || subjectName === null) return subjectName ?? subject
  return splitWords(subjectName).replace(/^mail/, 'email')
}

/** Returns the variables of the list that match the address. */
export function staffAuditVariables({ query }: PageContext) {
  const { from, to, action, ...list } = readListVariables(staffAuditTable, query)
  return { ...list, ...readPeriod(from, to), action: isTeamAction(action) ? action : null }
}
