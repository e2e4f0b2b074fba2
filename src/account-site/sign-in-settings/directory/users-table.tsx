import { RelativeTime } from '../../../web/components/time.tsx'
import type { DirectoryQuery, DirectoryUserState } from '../../generated/operations.ts'
import { RoleBadge } from '../../role-badge.tsx'
import { defineTable } from '../../table/declaration.ts'

type User = DirectoryQuery['team']['directoryUsers']['nodes'][number]

const stateLabels: Record<DirectoryUserState, string> = { ACTIVE: 'Active', INVITED: 'Invited', INACTIVE: 'Inactive' }
const kinds: Record<DirectoryUserState, string> = { ACTIVE: 'good', INVITED: 'info', INACTIVE: 'quiet' }

/** The users whom the directory has sent. */
export const directoryUsersTable = defineTable({
  noun: ['user of the directory', 'users of the directory'],
  getName: ({ name, userName }: User) => name ?? userName,
  search: 'Name or user name',
  filters: { state: { label: 'Status', options: stateLabels } },
  columns: [
    {
      label: 'User',
      phone: 'name',
      sort: 'NAME',
      cell: ({ name, userName, userId }, ctx) => (
        <span class="named">
          {userId === null ? (
            <bdi>{name ?? userName}</bdi>
          ) : (
            <a href={`/teams/${ctx.param('team')}/members/${userId}`}>
              <bdi>{name ?? userName}</bdi>
            </a>
          )}{' '}
          {name !== null && (
            <span class="about">
              <bdi>{userName}</bdi>
            </span>
          )}
        </span>
      ),
    },
    { label: 'Status', phone: 'state', cell: ({ state }) => <span class={`badge ${kinds[state]}`}>{stateLabels[state]}</span> },
    { label: 'Role', phone: 'detail', cell: ({ role }) => role && <RoleBadge role={role} /> },
    {
      label: 'Role set by',
      phone: 'detail',
      cell: ({ role, isManaged }) => (role === null ? null : isManaged ? 'Groups' : 'Owners'),
    },
    {
      label: 'Changed',
      phone: 'labelled state',
      sort: 'UPDATED',
      descendsFirst: true,
      cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ],
  sort: 'NAME',
  empty: 'The directory has not sent any users yet. Set it up with one of the guides on this page.',
})
