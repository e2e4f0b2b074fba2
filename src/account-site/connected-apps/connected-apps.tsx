import { applicationsPath } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import { ApplicationsDocument } from '../generated/operations.ts'
import { variablesOf } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { appsTable } from './apps-table.tsx'
import { revokeApp } from './revoke-app.tsx'

/** The apps to which the user gave consent. */
export const applications = page({
  path: applicationsPath,
  title: 'Connected apps',
  nav: { section: 'account', icon: 'plug', order: 40 },
  document: ApplicationsDocument,
  variables: ({ query }) => variablesOf(appsTable, query),
  forms: { revoke: revokeApp },
  view: ({ viewer: { grants } }, ctx) => (
    <>
      <p>Apps that you allowed to access your account. An app that you connected for several teams is listed once for each.</p>
      <DataTable table={appsTable} ctx={ctx} list={grants} />
    </>
  ),
})
