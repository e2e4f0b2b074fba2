import { maxExportedEntries } from '../../../schema/audit/export.ts'
import { Button } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { page } from '../framework/page.ts'
import { AuditTrailDocument } from '../generated/operations.ts'
import { DataTable } from '../table/data-table.tsx'
import { auditTable, auditVariables } from './audit-table.tsx'
import { exportAuditLog } from './export.ts'

/** The changes to a team. */
export const auditTrail = page({
  path: '/teams/:team/audit-trail',
  title: 'Audit log',
  nav: { section: 'team', icon: 'list', order: 80 },
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
