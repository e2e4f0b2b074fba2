import { ApplicationType } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { pageType } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { connectionType } from '../lists/connection.ts'
import type { ListQuery } from '../lists/declaration.ts'
import { listFields } from '../lists/list-fields.ts'
import type { List } from '../lists/list.ts'
import { orderByType } from '../lists/order-by.ts'
import { isAuthorized } from '../core/requires.ts'
import { isSignInOverdue, signInsCountSince } from '../core/team-access/required-sign-in.ts'
import { requireTeamAccessById } from '../core/team-access/team-access.ts'
import { pictureFiles, pictureUrl } from '../pictures/picture-url.ts'
import { RoleType } from '../members/role.ts'
import { changeMembers } from '../members/rules.ts'
import { TeamType } from '../teams/team.ts'
import { requiresInviting } from './invitation.ts'
import { peopleWithActivity, peopleWithoutActivity } from './people-list.ts'
import type { Person, PersonFilters, PersonOrder, PersonState } from './people-list.ts'

const PersonStateType = enumType('PersonState', 'Whether a person is a member or has a pending invitation.', {
  member: 'A member of the team.',
  invited: 'Has a pending invitation.',
} satisfies Record<PersonState, string>)

const PersonOrderType = orderByType('PersonOrder', 'people', {
  name: 'The name; for an invitation the email address.',
  role: 'The role, owners first; people with the same role by join time.',
  since: 'When the person joined or was invited.',
  last_active: 'When the member was last active, in any team.',
} satisfies Record<PersonOrder, string>)

export const TeamPersonType = builder.objectRef<Person>('TeamPerson').implement({
  description: 'A member of a team, or a person with a pending invitation to it.',
  fields: (t) => ({
    userId: t.id({
      nullable: true,
      description: 'The member’s user identifier; null for an invitation.',
      resolve: ({ id, state }) => (state === 'member' ? id : null),
    }),
    invitationId: t.id({
      nullable: true,
      description: 'The invitation’s identifier; null for a member.',
      resolve: ({ id, state }) => (state === 'invited' ? id : null),
    }),
    state: t.expose('state', { type: PersonStateType, description: 'Whether the person is a member.' }),
    name: t.exposeString('name', { nullable: true, description: 'The member’s name; null for an invitation.' }),
    email: t.exposeString('email', { describedBy: 'User.email' }),
    pictureUrl: t.string({
      description: `URL of the member’s picture, ${pictureFiles}`,
      nullable: true,
      resolve: ({ pictureId }, _, context) => pictureUrl(context, pictureId),
    }),
    role: t.expose('role', { type: RoleType, description: 'The role that the person has, or gets by accepting.' }),
    accessibleAppIds: t.expose('accessibleAppIds', {
      type: [ApplicationType],
      nullable: true,
      description: 'The products the person may use; null means all of the team’s products.',
    }),
    isManaged: t.exposeBoolean('isManaged', {
      description: 'Whether groups of an identity provider or directory decide the role and the products.',
    }),
    isFromDirectory: t.exposeBoolean('isFromDirectory', {
      description: 'Whether the directory of the team invited the person through SCIM; false for a member.',
    }),
    since: t.expose('since', { type: 'DateTime', description: 'When the member joined, or the invitation was last sent.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When the invitation expires; null for a member.' }),
    lastActiveAt: t.expose('lastActiveAt', {
      type: 'DateTime',
      nullable: true,
      description:
        'When the member was last active, in any team, to the minute: signed in, or used a session, a personal token or a grant. Null if never, for an invitation, and for callers who may not change members.',
    }),
    hasTwoFactor: t.exposeBoolean('hasTwoFactor', {
      nullable: true,
      description: 'Whether the member uses two-factor authentication. Null for callers who may not change members.',
    }),
    hasRequiredSignIn: t.boolean({
      nullable: true,
      description:
        'Whether the member has signed in through the identity provider that the team requires, and not too long ago. Null for a member whom the requirement does not concern, and for callers who may not change members.',
      resolve: ({ requiredSignInAt: at }, _, context) => (at === null ? null : !isSignInOverdue(Number(at), context)),
    }),
  }),
})

/** Chooses the list by the permission to see the activity of members, because it decides what is read. */
const listFor = ({ filters: { withActivity } }: PeopleQuery) => (withActivity ? peopleWithActivity : peopleWithoutActivity)
type PeopleQuery = ListQuery<PersonOrder, PersonFilters & { withActivity?: boolean }>
const peopleList: List<Person, PersonOrder, PersonFilters & { withActivity?: boolean }> = {
  ...peopleWithoutActivity,
  page: (context, team, query, ...rest) => listFor(query).page(context, team, query, ...rest),
  connection: (context, team, query, args) => listFor(query).connection(context, team, query, args),
}

builder.objectFields(TeamType, (t) =>
  listFields(t, 'people', {
    description: 'The members of the team and, for callers who may invite, the people with a pending invitation.',
    page: pageType('TeamPersonPage', TeamPersonType),
    connection: connectionType('TeamPerson', TeamPersonType),
    requires: { scopes: ['acct:team:members:read'] },
    list: peopleList,
    args: builder.args((arg) => ({
      search: arg.string({ description: 'Only people whose name or email address contains this text, in upper or lower case.' }),
      role: arg.field({ type: RoleType, description: 'Only people with this role.' }),
      state: arg.field({ type: PersonStateType, description: 'Only members, or only invitations.' }),
      hasTwoFactor: arg.boolean({
        description: 'Only members who use two-factor authentication, or who do not; nobody for callers who may not change members.',
      }),
      hasRequiredSignIn: arg.boolean({
        description:
          'Only members who have signed in through the identity provider that the team requires, or only those who must and have not; nobody for callers who may not change members.',
      }),
      orderBy: arg.field({ type: PersonOrderType, description: 'The order; default by join time, earliest first.' }),
    })),
    async query({ search, role, state, hasTwoFactor, hasRequiredSignIn: isDone, orderBy }, context, team) {
      const teamAccess = await requireTeamAccessById(context, team.id)
      const filters = {
        search: searchPattern(search),
        role,
        state,
        hasTwoFactor,
        requiredSignIn: typeof isDone === 'boolean' ? { isDone, since: signInsCountSince(context) } : null,
        current: true,
        withoutInvitations: !isAuthorized(context, requiresInviting, teamAccess) || null,
        withActivity: isAuthorized(context, changeMembers, teamAccess),
      } as const
      return { filters, orderBy: orderBy ?? { field: 'since', direction: 'asc' } }
    },
  }),
)
