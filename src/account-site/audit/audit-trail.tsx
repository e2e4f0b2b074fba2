import { z } from 'zod'
import { maxExportedEntries } from '../../../schema/audit/export.ts'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { csvFile } from '../../web/files/csv.ts'
import { defaultTimes } from '../../web/time-format.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { ExportAuditLogDocument, AuditTrailDocument } from '../generated/operations.ts'
import type { EntryPartsFragment } from '../generated/operations.ts'
import { DataTable } from '../table/data-table.tsx'
import { actionLabel } from './actions.ts'
import { authenticationMethodLabels } from './actor.tsx'
import { auditVariables, auditTable } from './audit-table.tsx'
import { buildSentence, joinSentence } from './sentence.tsx'

/** The columns of a CSV file of entries. */
export const entryColumns: Readonly<Record<string, (entry: EntryPartsFragment, times: TimeSettings) => string | null>> = {
  Time: ({ at }) => at,
  Actor: ({ actorName }) => actorName,
  Authenticated: ({ authenticationMethod }) => authenticationMethodLabels[authenticationMethod],
  Action: actionLabel,
  Description: (entry, times) => joinSentence(buildSentence(entry, times)),
  Target: ({ subjectName }) => subjectName,
  'Target identifier': ({ subject }) => subject,
  'Old values': ({ before }) => before,
  'New values': ({ after }) => after,
  App: ({ clientName }) => clientName,
}

/**
 * Exports all entries that match the filters of the page as a CSV file. It is a form and not a link, because each export writes an audit
 * entry.
 */
const exportAuditLog = form({
  fields: z.object({}),
  document: ExportAuditLogDocument,
  variables(_, ctx) {
    const { page: _page, perPage: _perPage, sort: field, direction, ...filters } = auditVariables(ctx)
    return { input: { ...filters, orderBy: { field, direction } } }
  },
  async onSuccess({ exportAuditLog: { entries } }, ctx) {
    const times = ctx.person?.timeSettings ?? defaultTimes
    const toRow = (entry: EntryPartsFragment) => Object.values(entryColumns).map((getValue) => getValue(entry, times))
    const name = `${ctx.param('team')}-audit-log-${ctx.site.now().toISOString().slice(0, 10)}.csv`
    return { name, ...(await csvFile(Object.keys(entryColumns), entries, toRow)) }
  },
})

/** The changes to a team. */
export const auditTrail = page({
  path: '/teams/:team/audit-trail',
  title: 'Audit log',
  nav: { group: 'security', icon: 'list', order: 30 },
  document: AuditTrailDocument,
  variables: auditVariables,
  forms: { export: exportAuditLog },
  view: ({ team: { auditEntries } }, ctx) => (
    <DataTable table={auditTable} ctx={ctx} list={auditEntries} actions={auditEntries.total > 0 && <Export total={auditEntries.total} />} />
  ),
})

const Export = ({ total }: { total: number }) =>
  total > maxExportedEntries ? (
    <span class="hint">To export, filter the list to at most {maxExportedEntries.toLocaleString('en')} entries.</span>
  ) : (
    <Form name="export">
      <Button kind="second">Export as CSV</Button>
    </Form>
  )
