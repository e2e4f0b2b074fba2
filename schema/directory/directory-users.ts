import type { Role } from '../../prisma/generated/client/enums.ts'
import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { pageType } from '../builder/pagination.ts'
import { anyContains, searchPattern } from '../builder/search.ts'
import { loadOfTeam } from '../lists/batch.ts'
import { connectionType } from '../lists/connection.ts'
import { listFields } from '../lists/list-fields.ts'
import { defineList } from '../lists/list.ts'
import { orderByType } from '../lists/order-by.ts'
import { TeamMemberType } from '../members/member.ts'
import { RoleType } from '../members/role.ts'
import { TeamType } from '../teams/team.ts'
import { seeDirectoryUsers } from './rules.ts'

type UserState = 'active' | 'invited' | 'inactive'

/** A user whom the directory of a team has sent. Instants are text. */
interface DirectoryUser {
  id: string
  userName: string
  externalId: string | null
  name: string | null
  state: UserState
  /** Null for a user who is not a member. */
  userId: string | null
  role: Role | null
  isManaged: boolean
  updatedAt: string
}

interface UserFilters {
  state?: UserState | null | undefined
  /** Pattern for the user name or the name. */
  search?: string | null
}
type UserOrder = 'name' | 'updated'

const state = `CASE WHEN m.user_id IS NOT NULL THEN 'active' WHEN EXISTS (SELECT FROM invitations i
  WHERE i.team_id = r.team_id AND i.directory_user_id = r.user_id AND i.status = 'pending') THEN 'invited' ELSE 'inactive' END`
// For a former member, the list contains only what the directory sent, because the team may no longer see the account.
const name = `coalesce(nullif(btrim(r.attributes->>'displayName'), ''), nullif(btrim(r.attributes->'name'->>'formatted'), ''),
  nullif(btrim(concat_ws(' ', r.attributes->'name'->>'givenName', r.attributes->'name'->>'familyName')), ''), u.name)`

const users = defineList<DirectoryUser, DirectoryUser, UserOrder, UserFilters>({
  name: 'directory_users',
  rows: (team) => `FROM scim_users r LEFT JOIN members m ON m.team_id = r.team_id AND m.user_id = r.account_id
    LEFT JOIN users u ON u.id = m.user_id WHERE r.team_id = ${team}`,
  id: 'r.user_id',
  columns: `r.user_id AS id, r.user_name AS "userName", r.external_id AS "externalId", ${name} AS name, ${state} AS state,
    m.user_id AS "userId", m.role, coalesce(m.managed, false) AS "isManaged", r.updated_at AS "updatedAt"`,
  orders: { name: { keys: [['lower(r.user_name)', 'text']] }, updated: { keys: [['r.updated_at', 'timestamptz']] } },
  filters: {
    state: ({ value }) => `${state} = ${value}`,
    search: ({ value }) => anyContains(['r.user_name', `coalesce(${name}, '')`], value),
  },
  toNode: (row) => row,
})

const UserStateType = enumType('DirectoryUserState', 'What a user of the directory is in the team.', {
  active: 'A member.',
  invited: 'Invited, as the email address is in no domain that the team has verified.',
  inactive: 'Neither: deactivated by the directory, or no member any more.',
} satisfies Record<UserState, string>)

const UserOrderType = orderByType('DirectoryUserOrder', 'users of the directory', {
  name: 'The user name, in upper or lower case.',
  updated: 'When the directory last changed the user.',
} satisfies Record<UserOrder, string>)

const DirectoryUserType = builder.objectRef<DirectoryUser>('DirectoryUser').implement({
  description: 'A user whom the directory of the team has sent through SCIM. It adds and removes the membership.',
  fields: (t) => ({
    resourceId: t.exposeID('id', { describedBy: 'ScimUser.userId' }),
    userName: t.exposeString('userName', { describedBy: 'ScimUser.userName' }),
    externalId: t.exposeString('externalId', { nullable: true, describedBy: 'ScimUser.externalId' }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name that the directory stated, else that of the account of a member, or null.',
    }),
    state: t.expose('state', { type: UserStateType, description: 'What the user is in the team.' }),
    userId: t.exposeID('userId', { nullable: true, description: 'The user identifier of the member; null for a user who is no member.' }),
    role: t.expose('role', { type: RoleType, nullable: true, description: 'The role of the member, or null.' }),
    isManaged: t.exposeBoolean('isManaged', { describedBy: 'Member.managed' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', describedBy: 'ScimUser.updatedAt' }),
  }),
})

builder.objectFields(TeamType, (t) =>
  listFields(t, 'directoryUsers', {
    description: 'The users whom the directory of the team has sent through SCIM.',
    requires: seeDirectoryUsers,
    page: pageType('DirectoryUserPage', DirectoryUserType),
    connection: connectionType('DirectoryUser', DirectoryUserType),
    list: users,
    args: builder.args((t) => ({
      state: t.field({ type: UserStateType, description: 'Only users in this state.' }),
      search: t.string({ description: 'Only users whose user name or name contains this text, in upper or lower case.' }),
      orderBy: t.field({ type: UserOrderType, description: 'The order; default by user name.' }),
    })),
    query: ({ state, search, orderBy }) => ({
      filters: { state, search: searchPattern(search) },
      orderBy: orderBy ?? { field: 'name', direction: 'asc' },
    }),
  }),
)

const membersInDirectory = statement<{ teamId: string; id: string }, [teamIds: readonly string[], userIds: readonly string[]]>(
  'members_in_directory',
  `SELECT s.team_id AS "teamId", s.account_id AS id FROM unnest($1::uuid[], $2::uuid[]) k(team_id, user_id)
   JOIN scim_users s ON s.team_id = k.team_id AND s.account_id = k.user_id`,
)

builder.objectField(TeamMemberType, 'isInDirectory', (t) =>
  t.boolean({
    description: 'Whether the directory of the team has sent the member through SCIM. It can then end the membership.',
    resolve: async ({ teamId, id }, _, context) =>
      (await loadOfTeam(context, 'members in directories', teamId, id, membersInDirectory)) !== null,
  }),
)
