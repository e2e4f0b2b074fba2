import { AppMark } from '../../../web/components/app-mark.tsx'
import { RelativeTime } from '../../../web/components/time.tsx'
import { AppStateBadge, ChangesBadge } from '../../developers/app-state.tsx'
import type { PageContext } from '../../framework/page-context.ts'
import { page } from '../../framework/page.ts'
import { StaffClientsDocument } from '../../generated/operations.ts'
import type { StaffClientsQuery } from '../../generated/operations.ts'
import { isFiltered, readListVariables, rowAddress, toUncountedList } from '../../table/address.ts'
import { DataTable } from '../../table/data-table.tsx'
import { defineTable } from '../../table/declaration.ts'
import { staffClientsPath, staffTeamAt } from '../staff-paths.ts'

type Client = StaffClientsQuery['staff']['clients']['nodes'][number]

const table = defineTable({
  noun: ['app', 'apps'],
  getName: ({ name }: Client) => name,
  search: 'Name, publisher or client ID',
  filters: {
    state: {
      label: 'State',
      options: { SUBMITTED: 'Waits for a review', LISTED: 'Published', DRAFT: 'Draft', REJECTED: 'Rejected' },
    },
    access: { label: 'Access', options: { ENABLED: 'Enabled', DISABLED: 'Disabled' } },
  },
  columns: [
    {
      label: 'App',
      phone: 'name',
      sort: 'NAME',
      cell: (client, ctx) => (
        <>
          <AppMark app={client} isSmall />
          <span class="named">
            <a href={rowAddress(ctx, encodeURIComponent(client.clientId))}>
              <bdi>{client.name}</bdi>
            </a>
            {client.publisher !== null && (
              <>
                {' '}
                <span class="about">
                  <bdi>{client.publisher}</bdi>
                </span>
              </>
            )}
          </span>
        </>
      ),
    },
    {
      label: 'Status',
      phone: 'state',
      sort: 'REVIEW',
      orders: ['Waiting first', 'Waiting last'],
      // A row has only one badge, which fits on a phone: only a published app has changes in review.
      cell: (client) =>
        client.disabledAt === null && client.proposedChanges.length > 0 ? <ChangesBadge {...client} /> : <AppStateBadge {...client} />,
    },
    {
      label: 'Team',
      phone: 'detail',
      cell: ({ ownerTeamSlug }) =>
        ownerTeamSlug === null ? <span class="default">None</span> : <a href={staffTeamAt(ownerTeamSlug)}>{ownerTeamSlug}</a>,
    },
    { label: 'Changed', phone: 'detail', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
  ],
  sort: 'REVIEW',
  empty: 'No apps are registered at this service.',
})

/** All apps, those that wait for a review first. */
export const staffClients = page({
  path: staffClientsPath,
  title: 'Apps of all teams',
  nav: { group: 'staff', icon: 'plug', order: 20, label: 'Apps' },
  document: StaffClientsDocument,
  variables,
  // The apps are not counted, which would read all of them.
  view: ({ staff: { clients } }, ctx) => (
    <DataTable
      table={table}
      ctx={ctx}
      list={toUncountedList(clients, variables(ctx))}
      count={isFiltered(table, ctx.query) ? 'Apps found' : 'Apps'}
    />
  ),
})

function variables({ query }: PageContext) {
  const { access, ...list } = readListVariables(table, query)
  return { ...list, isDisabled: access === null ? null : access === 'DISABLED' }
}
