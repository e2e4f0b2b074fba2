import { Address } from '../../web/components/address.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { MembersQuery } from '../generated/operations.ts'
import { accessLabel, roleNames } from '../labels.ts'
import { InvitationActions } from '../invitations/actions.tsx'
import { defineTable } from '../table/declaration.ts'
import { changeSelected } from './change-selected.tsx'

type Person = MembersQuery['team']['people']['nodes'][number]

/** The schema shows the activity of members only to those who may change them. */
const mayChangeMembers = (ctx: PageContext) => ctx.isAllowed(changeSelected.requirements)

/** The members of a team and its pending invitations. */
export const membersTable = defineTable({
  noun: ['person', 'people'],
  nameOf: ({ name, email }: Person) => name ?? email,
  search: 'Name or email address',
  filters: {
    role: { label: 'Role', options: roleNames },
    state: { label: 'Status', options: { MEMBER: 'Joined', INVITED: 'Invited' } },
  },
  columns: [
    {
      label: 'Name',
      phone: 'name',
      sort: 'NAME',
      cell: (person, { path, person: user }) => <Named person={person} path={path} isSelf={person.userId === user?.user.id} />,
    },
    { label: 'Role', phone: 'state', sort: 'ROLE', cell: ({ role }) => roleNames[role] },
    { label: 'Products', phone: 'detail', cell: ({ accessibleAppIds }) => accessLabel(accessibleAppIds) },
    {
      label: 'Two-factor',
      phone: 'detail',
      isAllowed: mayChangeMembers,
      cell: ({ hasTwoFactor }) => (hasTwoFactor === null ? '–' : hasTwoFactor ? 'On' : 'Off'),
    },
    {
      label: 'Last active',
      phone: 'detail',
      isAllowed: mayChangeMembers,
      sort: 'LAST_ACTIVE',
      descendsFirst: true,
      cell: ({ state, lastActiveAt }) => (state === 'INVITED' ? '–' : <RelativeTime at={lastActiveAt} />),
    },
    {
      label: 'Joined',
      phone: 'labelled state',
      sort: 'SINCE',
      descendsFirst: true,
      cell: ({ state, since }) =>
        state === 'MEMBER' ? (
          <Day at={since} />
        ) : (
          <>
            <span class="badge">Invited</span> <RelativeTime at={since} />
          </>
        ),
    },
  ],
  sort: 'SINCE',
  empty: 'Invite someone to work with you.',
  menu: (person, ctx) => (mayChangeMembers(ctx) ? <Menu person={person} path={ctx.path} /> : null),
  selection: {
    form: 'change-selected',
    valueOf: ({ userId }) => userId,
    isAllowed: mayChangeMembers,
  },
})

const Menu = ({ person: { userId, invitationId, email }, path }: { person: Person; path: string }) =>
  invitationId === null ? (
    <>
      <a href={`${path}/${userId}`}>Change role or products</a>
      <a href={`${path}/${userId}#remove`}>Remove from the team</a>
    </>
  ) : (
    <InvitationActions id={invitationId} email={email} canBeResent isPending />
  )

const Named = ({ person: { userId, name, email }, path, isSelf }: { person: Person; path: string; isSelf: boolean }) =>
  userId === null ? (
    <Address>{email}</Address>
  ) : (
    <>
      <a href={`${path}/${userId}`}>
        <bdi>{name}</bdi>
      </a>
      {isSelf ? ' (you) ' : ' '}
      <span class="about">
        <Address>{email}</Address>
      </span>
    </>
  )
