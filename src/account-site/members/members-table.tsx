import { Address } from '../../web/components/address.tsx'
import { DateTime, Day } from '../../web/components/time.tsx'
import type { MembersQuery } from '../generated/operations.ts'
import { accessLabel, roleNames } from '../labels.ts'
import { defineTable } from '../table/declaration.ts'

type Person = MembersQuery['team']['people']['nodes'][number]

/** The members of a team and its pending invitations. */
export const membersTable = defineTable({
  noun: ['member', 'members'],
  nameOf: ({ name, email }: Person) => name ?? email,
  search: 'Name or address',
  filters: {
    role: { label: 'Role', options: roleNames },
    state: { label: 'Status', options: { MEMBER: 'Joined', INVITED: 'Invited' } },
  },
  columns: [
    {
      label: 'Name',
      sort: 'NAME',
      cell: (person, { path, person: user }) => <Named person={person} path={path} isSelf={person.id === user?.user.id} />,
    },
    { label: 'Role', sort: 'ROLE', cell: ({ role }) => roleNames[role] },
    { label: 'Products', cell: ({ accessibleAppIds }) => accessLabel(accessibleAppIds) },
    { label: 'Two-factor', cell: ({ hasTwoFactor }) => (hasTwoFactor === null ? '–' : hasTwoFactor ? 'On' : 'Off') },
    {
      label: 'Last active',
      sort: 'LAST_ACTIVE',
      descendsFirst: true,
      cell: ({ lastActiveAt }) => (lastActiveAt === null ? '–' : <DateTime at={lastActiveAt} />),
    },
    {
      label: 'Joined',
      sort: 'SINCE',
      descendsFirst: true,
      cell: ({ state, since }) => (state === 'MEMBER' ? <Day at={since} /> : <span class="badge">Invited</span>),
    },
  ],
  sort: 'SINCE',
  empty: 'Invite someone to work with you.',
})

const Named = ({ person: { id, state, name, email }, path, isSelf }: { person: Person; path: string; isSelf: boolean }) =>
  state === 'INVITED' ? (
    <Address>{email}</Address>
  ) : (
    <>
      <a href={`${path}/${id}`}>
        <bdi>{name}</bdi>
      </a>
      {isSelf ? ' (you) ' : ' '}
      <span class="about">
        <Address>{email}</Address>
      </span>
    </>
  )
