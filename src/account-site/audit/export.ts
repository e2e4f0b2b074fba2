import { z } from 'zod'
import { csvFile } from '../../web/csv.ts'
import { form } from '../framework/form.ts'
import { ExportAuditLogDocument } from '../generated/operations.ts'
import type { EntryPartsFragment } from '../generated/operations.ts'
import type { TimeSettings } from '../../../schema/core/principals.ts'
import { defaultTimes } from '../../web/time-format.ts'
import { auditVariables } from './audit-table.tsx'
import { actionLabel, authenticationMethodLabels } from './actions.ts'
import { buildSentence, joinSentence } from './sentence.tsx'

const columns: Readonly<Record<string, (entry: EntryPartsFragment, times: TimeSettings) => string | null>> = {
  Time: ({ at }) => at,
  Person: ({ actorName }) => actorName,
  Authenticated: ({ authenticationMethod }) => authenticationMethodLabels[authenticationMethod],
  Action: actionLabel,
  Description: (entry, times) => joinSentence(buildSentence(entry, times)),
  Target: ({ subjectName }) => subjectName,
  'Target identifier': ({ subject }) => subject,
  'Old values': ({ before }) => before,
  'New values': ({ after }) => after,
}

/**
 * Exports all entries that match the filters of the page as a CSV file. It is a form and not a link, because each export writes an audit
 * entry.
 */
export const exportAuditLog = form({
  fields: z.object({}),
  document: ExportAuditLogDocument,
  variables(_, ctx) {
    const { page: _page, perPage: _perPage, sort: field, direction, ...filters } = auditVariables(ctx)
    return { input: { ...filters, orderBy: { field, direction } } }
  },
  async onSuccess({ exportAuditLog: { entries } }, ctx) {
    const times = ctx.person?.timeSettings ?? defaultTimes
    const toRow = (entry: EntryPartsFragment) => Object.values(columns).map((getValue) => getValue(entry, times))
    const name = `${ctx.param('team')}-audit-log-${ctx.site.now().toISOString().slice(0, 10)}.csv`
    return { name, ...(await csvFile(Object.keys(columns), entries, toRow)) }
  },
})
