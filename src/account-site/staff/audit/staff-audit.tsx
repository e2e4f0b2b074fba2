import { maxExportedEntries } from '../../../../schema/audit/export.ts'
import { Name } from '../../../web/components/address.tsx'
import { Fact } from '../../../web/components/facts.tsx'
import { csvFile } from '../../../web/files/csv.ts'
import { defaultTimes } from '../../../web/time-format.ts'
import { actionLabel } from '../../audit/actions.ts'
import { entryColumns } from '../../audit/audit-trail.tsx'
import { EntryDetails } from '../../audit/entry.tsx'
import { download } from '../../framework/download.ts'
import { page } from '../../framework/page.ts'
import { StaffAuditDocument, StaffAuditEntryDocument, StaffAuditExportDocument } from '../../generated/operations.ts'
import type { StaffEntryPartsFragment } from '../../generated/operations.ts'
import { isFiltered, listAddress, toUncountedList } from '../../table/address.ts'
import { DataTable } from '../../table/data-table.tsx'
import { FileLink } from '../../table/file-link.tsx'
import { staffAuditPath, staffTeamAt, staffUserAt } from '../staff-paths.ts'
import { staffAuditTable, staffAuditVariables } from './staff-audit-table.tsx'

/** The audit log of all teams and accounts, for staff. */
export const staffAudit = page({
  path: staffAuditPath,
  title: 'Audit log of all teams',
  nav: { group: 'staff', icon: 'list', order: 40, label: 'Audit log' },
  document: StaffAuditDocument,
  variables: staffAuditVariables,
  // The entries are not counted, which would read the whole log.
  view: ({ staff: { auditEntries } }, ctx) => (
    <DataTable
      table={staffAuditTable}
      ctx={ctx}
      list={toUncountedList(auditEntries, staffAuditVariables(ctx))}
      count={isFiltered(staffAuditTable, ctx.query) ? 'Entries found' : 'Entries'}
      actions={
        auditEntries.nodes.length > 0 && (
          <div class="actions">
            <FileLink
              extension="csv"
              verb="Export as"
              label="CSV"
              noun="entries"
              total={auditEntries.nodes.length}
              limit={maxExportedEntries}
              ctx={ctx}
            />
          </div>
        )
      }
    />
  ),
})

/** A CSV file of all entries that match the filters of the page, each with its team. */
export const staffAuditFile = download({
  path: `${staffAuditPath}.csv`,
  document: StaffAuditExportDocument,
  variables(ctx) {
    const { page: _page, perPage: _perPage, ...variables } = staffAuditVariables(ctx)
    return variables
  },
  async file({ staff: { auditExport } }, ctx) {
    const times = ctx.person?.timeSettings ?? defaultTimes
    const toRow = ({ entry, team }: StaffEntryPartsFragment) => [
      team?.slug ?? null,
      ...Object.values(entryColumns).map((getValue) => getValue(entry, times)),
    ]
    const name = `audit-log-${ctx.site.now().toISOString().slice(0, 10)}.csv`
    return { name, ...(await csvFile(['Team', ...Object.keys(entryColumns)], auditExport, toRow)) }
  },
})

/** One entry of the audit log. */
export const staffAuditEntry = page({
  path: `${staffAuditPath}/:entry`,
  title: ({ staff }) => actionLabel(staff.auditEntry.entry),
  parent: staffAuditPath,
  document: StaffAuditEntryDocument,
  variables: (ctx) => ({ id: ctx.param('entry') }),
  view: ({ staff: { auditEntry } }, ctx) => (
    <>
      <EntryDetails entry={auditEntry.entry} targetPage={null}>
        {auditEntry.team && (
          <Fact name="Team">
            <a href={staffTeamAt(auditEntry.team.slug)}>
              <Name>{auditEntry.team.name}</Name>
            </a>
          </Fact>
        )}
        {auditEntry.actor && (
          <Fact name="Account of the actor">
            <a href={staffUserAt(auditEntry.actor.userId)}>
              <Name>{auditEntry.entry.actorName}</Name>
            </a>
          </Fact>
        )}
      </EntryDetails>
      <p>
        <a href={listAddress(staffAuditPath, ctx)}>Back to the audit log</a>
      </p>
    </>
  ),
})
