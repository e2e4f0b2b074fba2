import { AppMark } from '../../web/components/app-mark.tsx'
import { ScopeSummary } from '../../web/components/scope-summary.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import type { ApplicationsQuery } from '../generated/operations.ts'
import { defineTable } from '../table/declaration.ts'
import { RevokeApp } from './revoke-app.tsx'
import { TeamOfGrant } from './team-of-grant.tsx'

type ListedGrant = ApplicationsQuery['viewer']['grants']['nodes'][number]

/** The apps to which the user gave access, once for each team. */
export const appsTable = defineTable({
  noun: ['app', 'apps'],
  nameOf: ({ client }: ListedGrant) => client.name,
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
