import { ApplicationType } from '../apps/application.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { listComplexity, pageArguments, pageType, slice } from '../builder/pagination.ts'
import { searchPattern } from '../builder/search.ts'
import { SortDirectionType } from '../builder/sort-direction.ts'
import { isAuthorized } from '../core/requires.ts'
import { requireTeamAccessById } from '../core/team-access.ts'
import { RoleType } from '../members/role.ts'
import { changeMembers } from '../members/rules.ts'
import { TeamType } from '../teams/team.ts'
import { requiresInviting } from './invitation.ts'
import { findPeople } from './people-query.ts'
import type { Person, PersonOrder, PersonState } from './people-query.ts'

const PersonStateType = enumType('PersonState', 'Whether a person is a member or has a pending invitation.', {
  member: 'A member of the team.',
  invited: 'Has a pending invitation.',
} satisfies Record<PersonState, string>)

const PersonOrderType = enumType('PersonOrder', 'What a list of people is sorted by. People without the value come last.', {
  name: 'The name, or the address of somebody invited.',
  role: 'The role.',
  since: 'When the person joined or was invited.',
  last_active: 'When the member last used the team.',
} satisfies Record<PersonOrder, string>)

const TeamPersonType = builder.objectRef<Person>('TeamPerson').implement({
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
    role: t.expose('role', { type: RoleType, description: 'The role that the person has, or gets by accepting.' }),
    accessibleAppIds: t.expose('accessibleAppIds', {
      type: [ApplicationType],
      nullable: true,
      description: 'The applications the person may use; null means all of the team’s applications.',
    }),
    since: t.expose('since', { type: 'DateTime', description: 'When the member joined, or the invitation was last sent.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', nullable: true, description: 'When the invitation expires; null for a member.' }),
    lastActiveAt: t.expose('lastActiveAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a session, personal token or grant of the member was last used. Null for callers who may not change members.',
    }),
    hasTwoFactor: t.exposeBoolean('hasTwoFactor', {
      nullable: true,
      description: 'Whether the member uses two-factor authentication. Null for callers who may not change members.',
    }),
  }),
})

builder.objectField(TeamType, 'people', (t) =>
  t.field({
    description: 'The members of the team and, for callers who may invite, the people with a pending invitation.',
    type: pageType('TeamPersonPage', TeamPersonType),
    complexity: listComplexity,
    requires: { scopes: ['acct:team:members:read'] },
    args: {
      ...pageArguments,
      search: t.arg.string({ description: 'Only people whose name or address contains this text, in upper or lower case.' }),
      role: t.arg({ type: RoleType, description: 'Only people with this role.' }),
      state: t.arg({ type: PersonStateType, description: 'Only members, or only invitations.' }),
      sort: t.arg({ type: PersonOrderType, description: 'What the list is sorted by; default `SINCE`.' }),
      direction: t.arg({ type: SortDirectionType, description: 'Direction of the sort; default `ASC`.' }),
    },
    async resolve(team, { search, role, state, sort, direction, ...args }, context) {
      const teamAccess = await requireTeamAccessById(context, team.id)
      return findPeople(
        context.database.pool,
        slice(args),
        sort ?? 'since',
        direction ?? 'asc',
        team.id,
        context.now(),
        searchPattern(search),
        role ?? null,
        state ?? null,
        isAuthorized(context, requiresInviting, teamAccess),
        isAuthorized(context, changeMembers, teamAccess),
      )
    },
  }),
)
