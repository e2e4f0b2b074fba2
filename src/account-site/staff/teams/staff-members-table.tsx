import { Address } from '../../../web/components/address.tsx'
import { Day } from '../../../web/components/time.tsx'
import type { StaffTeamQuery } from '../../generated/operations.ts'
import { roleNames } from '../../labels.ts'
import { RoleBadge } from '../../role-badge.tsx'
import { defineTable } from '../../table/declaration.ts'
import { staffUserAt } from '../staff-paths.ts'

type Member = StaffTeamQuery['staff']['teamState']['team']['members']['nodes'][number]

/** The members of a team, each with a link to the page of the user. */
export const staffMembersTable = defineTable({
  noun: ['member', 'members'],
  getName: ({ name }: Member) => name,
  search: 'Name or email address',
  filters: { role: { label: 'Role', options: roleNames } },
  columns: [
    {
      label: 'Name',
      phone: 'name',
      sort: 'NAME',
      cell: ({ userId, name, email }) => (
        <span class="named">
          <a href={staffUserAt(userId)}>
            <bdi>{name}</bdi>
          </a>{' '}
          <span class="about">
            <Address>{email}</Address>
          </span>
        </span>
      ),
    },
    { label: 'Role', phone: 'state', sort: 'ROLE', cell: ({ role }) => <RoleBadge role={role} /> },
    { label: 'Joined', phone: 'labelled state', sort: 'JOINED', descendsFirst: true, cell: ({ joinedAt }) => <Day at={joinedAt} /> },
  ],
  sort: 'NAME',
  empty: 'The team has no members.',
})
