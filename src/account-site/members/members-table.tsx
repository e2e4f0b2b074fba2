import { Address } from '../../web/components/address.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import type { PageContext } from '../framework/page-context.ts'
import type { PersonPartsFragment } from '../generated/operations.ts'
import { roleNames } from '../labels.ts'
import { RoleBadge } from '../role-badge.tsx'
import { InvitationActions } from '../invitations/actions.tsx'
import { rowAddress, readListVariables } from '../table/address.ts'
import { defineTable } from '../table/declaration.ts'
import { changeSelected } from './change-selected.tsx'
import { LeaveTeam } from './leave.tsx'
import { ProductAccess } from './product-access.tsx'

type Person = PersonPartsFragment

/** The schema shows the activity of members only to those who may change them. */
export const mayChangeMembers = (ctx: PageContext) => ctx.isAllowed(changeSelected.requirements)

/** Returns true if the table shows which members have the sign-in through an identity provider that the team requires. */
export const showsRequiredSignIn = (ctx: PageContext) => mayChangeMembers(ctx) && ctx.team?.team.signInProviderId != null

/** The members of a team and its pending invitations. */
export const membersTable = defineTable({
  noun: ['person', 'people'],
  getName: ({ name, email }: Person) => name ?? email,
  search: 'Name or email address',
  filters: {
    role: { label: 'Role', options: roleNames },
    state: { label: 'Status', options: { MEMBER: 'Joined', INVITED: 'Invited' } },
    twoFactor: { label: 'Two-factor', options: { ON: 'On', OFF: 'Off' }, isAllowed: mayChangeMembers },
    signIn: { label: 'Sign-in', options: { DONE: 'Done', MISSING: 'Missing' }, isAllowed: showsRequiredSignIn },
  },
  columns: [
    {
      label: 'Name',
      phone: 'name',
      sort: 'NAME',
      cell: (person, ctx) => <Named person={person} ctx={ctx} />,
    },
    { label: 'Role', phone: 'state', sort: 'ROLE', cell: ({ role }) => <RoleBadge role={role} /> },
    {
      label: 'Products',
      phone: 'detail',
      // Groups decide the role, too, but a phone is too narrow for the badge on the same line.
      cell: ({ accessibleAppIds, isManaged }) => (
        <>
          <ProductAccess ids={accessibleAppIds} /> {isManaged && <span class="badge">Managed</span>}
        </>
      ),
    },
    {
      label: 'Two-factor',
      phone: 'detail',
      isAllowed: mayChangeMembers,
      cell: ({ hasTwoFactor }) =>
        hasTwoFactor === null ? null : hasTwoFactor ? <span class="badge good">On</span> : <span class="default">Off</span>,
    },
    {
      label: 'Sign-in',
      phone: 'detail',
      isAllowed: showsRequiredSignIn,
      cell: ({ hasRequiredSignIn }) => (hasRequiredSignIn === null ? null : hasRequiredSignIn ? 'Done' : 'Missing'),
    },
    {
      label: 'Last active',
      phone: 'detail',
      isAllowed: mayChangeMembers,
      sort: 'LAST_ACTIVE',
      descendsFirst: true,
      cell: ({ state, lastActiveAt }) => (state === 'INVITED' ? null : <RelativeTime at={lastActiveAt} />),
    },
    {
      label: 'Joined',
      phone: 'labelled state',
      sort: 'SINCE',
      descendsFirst: true,
      cell: ({ state, since, isFromDirectory }) =>
        state === 'MEMBER' ? (
          <Day at={since} />
        ) : (
          <>
            <span class="badge">{isFromDirectory ? 'Invited by the directory' : 'Invited'}</span> <RelativeTime at={since} />
          </>
        ),
    },
  ],
  sort: 'NAME',
  empty: 'Invite someone to work with you.',
  menu: (person, ctx) => (mayChangeMembers(ctx) ? <Menu person={person} ctx={ctx} /> : null),
  selection: {
    form: 'change-selected',
    getValue: ({ userId }) => userId,
    isAllowed: mayChangeMembers,
  },
})

/** Returns the variables of the list that matches the address. */
export function personVariables(ctx: PageContext) {
  const { twoFactor, signIn, ...variables } = readListVariables(membersTable, ctx.query)
  const hasTwoFactor = twoFactor === null || !mayChangeMembers(ctx) ? null : twoFactor === 'ON'
  const hasRequiredSignIn = signIn === null || !showsRequiredSignIn(ctx) ? null : signIn === 'DONE'
  return { team: ctx.param('team'), ...variables, hasTwoFactor, hasRequiredSignIn }
}

/** Returns the address of the members who do not use two-factor authentication. */
export const withoutTwoFactor = (teamPath: string) => `${teamPath}/members?twoFactor=OFF`
/** Returns the address of the members who have not signed in through the identity provider that the team requires. */
export const withoutRequiredSignIn = (teamPath: string) => `${teamPath}/members?signIn=MISSING`

const Menu = ({ person: { userId, invitationId, email }, ctx }: { person: Person; ctx: PageContext }) =>
  invitationId === null && userId !== null ? (
    <>
      <a href={rowAddress(ctx, userId)}>Change role or products</a>
      {userId === ctx.person?.user.id ? (
        <LeaveTeam summary="Leave the team…" />
      ) : (
        <a href={`${rowAddress(ctx, userId)}#remove`}>Remove from the team</a>
      )}
    </>
  ) : (
    <InvitationActions id={invitationId ?? ''} email={email} canBeResent isPending />
  )

const Named = ({ person: { userId, name, email, pictureUrl }, ctx }: { person: Person; ctx: PageContext }) => (
  <span class="who named">
    <Avatar of="person" size="small" name={name ?? email} picture={pictureUrl} />{' '}
    {userId === null ? (
      <Address>{email}</Address>
    ) : (
      <span>
        <a href={rowAddress(ctx, userId)}>
          <bdi>{name}</bdi>
        </a>
        {userId === ctx.person?.user.id ? ' (you) ' : ' '}
        <span class="about">
          <Address>{email}</Address>
        </span>
      </span>
    )}
  </span>
)
