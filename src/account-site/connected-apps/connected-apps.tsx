import { AppMark } from '../../web/components/app-mark.tsx'
import { ScopeSummary } from '../../web/components/scope-list.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import type { ApplicationsQuery } from '../generated/operations.ts'
import { defineTable } from '../table/declaration.ts'
import { RevokeApp, revokeApp, TeamOfGrant } from './revoke-app.tsx'
import { applicationsPath } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import { ApplicationsDocument } from '../generated/operations.ts'
import { readListVariables } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'

type ListedGrant = ApplicationsQuery['viewer']['grants']['nodes'][number]

/** The apps to which the user gave access, with one row for each team. */
const appsTable = defineTable({
  noun: ['app', 'apps'],
  getName: ({ client }: ListedGrant) => client.name,
  search: 'App',
  filters: {},
  columns: [
    {
      label: 'App',
      phone: 'name',
      sort: 'CLIENT',
      cell: ({ id, client }, { path }) => (
        <>
          <AppMark app={client} isSmall />
          <a href={`${path}/${id}`}>
            <bdi>{client.name}</bdi>
          </a>
        </>
      ),
    },
    { label: 'Team', phone: 'state', cell: (grant) => <TeamOfGrant grant={grant} /> },
    { label: 'Permissions', phone: 'detail', cell: ({ scopes }) => <ScopeSummary scopes={scopes} /> },
    {
      label: 'Last used',
      phone: 'labelled state',
      sort: 'LAST_USED',
      descendsFirst: true,
      cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} />,
    },
    {
      label: 'Connected',
      phone: 'detail',
      sort: 'CREATED',
      descendsFirst: true,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ],
  sort: 'CREATED',
  isDescending: true,
  empty: 'Apps that you allow to access your account appear here.',
  menu: (grant, { path }) => (
    <>
      <a href={`${path}/${grant.id}`}>Change permissions</a>
      <RevokeApp grant={grant} summary="Revoke access" />
    </>
  ),
})

/** The apps to which the user gave consent. */
export const connectedApps = page({
  path: applicationsPath,
  title: 'Connected apps',
  nav: { group: 'account', icon: 'plug', order: 40 },
  document: ApplicationsDocument,
  variables: ({ query }) => readListVariables(appsTable, query),
  forms: { revoke: revokeApp },
  view: ({ viewer: { grants } }, ctx) => (
    <>
      <p>Apps that you allowed to access your account. An app that you connected for several teams is listed once for each.</p>
      <DataTable table={appsTable} ctx={ctx} list={grants} />
    </>
  ),
})
