import { page } from '../framework/page.ts'
import { AuditTrailDocument } from '../generated/operations.ts'
import { DataTable } from '../table/data-table.tsx'
import { auditTable, auditVariables } from './audit-table.tsx'

/** The changes to a team. */
export const auditTrail = page({
  path: '/teams/:team/audit-trail',
  title: 'Audit log',
  nav: { section: 'team', label: 'Audit log', icon: 'list', order: 80 },
  document: AuditTrailDocument,
  variables: auditVariables,
  view: ({ team: { auditEntries } }, ctx) => <DataTable table={auditTable} ctx={ctx} list={auditEntries} />,
})
