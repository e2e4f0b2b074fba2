import type { Role } from '../../prisma/generated/client/enums.ts'
import { builder } from '../builder/builder.ts'
import { defineList } from '../lists/list.ts'
import { listFields } from '../lists/list-fields.ts'
import { orderByType } from '../lists/order-by.ts'
import { members } from '../members/member.ts'
import { memberColumns, withUserId } from '../members/queries.ts'
import type { MemberRow, StoredMember } from '../members/queries.ts'
import { RoleType } from '../members/role.ts'
import { PersonType } from '../teams/person.ts'
import { findTeamIdsOfCaller } from '../teams/teams-of-caller.ts'

type MembershipOrder = 'team' | 'joined'

interface MembershipFilters {
  role?: Role | null | undefined
  /** The teams whose members the caller may see; null for all. */
  teamIds: readonly string[] | null
}

/** The memberships of a user. The index on the user finds them. */
const membershipList = defineList<StoredMember, MemberRow, MembershipOrder, MembershipFilters>({
  name: 'memberships',
  rows: (user) => `FROM members r JOIN users u ON u.id = r.user_id JOIN teams t ON t.id = r.team_id
    WHERE r.user_id = ${user} AND t.deleted_at IS NULL`,
  id: 'r.team_id',
  columns: memberColumns,
  orders: { team: { keys: [['t.slug', 'text']] }, joined: { keys: [['r.joined_at', 'timestamptz']] } },
  filters: {
    role: ({ value }) => `r.role = ${value}::"Role"`,
    teamIds: ({ value }) => `r.team_id = ANY (${value}::uuid[])`,
  },
  accessFilters: ['teamIds'],
  toNode: withUserId,
})

const MembershipOrderType = orderByType('MembershipOrder', 'memberships', {
  team: 'The slug of the team.',
  joined: 'When the user joined the team.',
} satisfies Record<MembershipOrder, string>)

const requires = { scopes: ['acct:team:members:read'] } as const

builder.objectFields(PersonType, (t) =>
  listFields(t, 'memberships', {
    description: 'The memberships of the user in the teams whose members the caller may see.',
    page: members.page,
    connection: members.connection,
    requires,
    list: membershipList,
    args: builder.args((arg) => ({
      role: arg.field({ type: RoleType, description: 'Only memberships with this role.' }),
      orderBy: arg.field({ type: MembershipOrderType, description: 'The order; default by the slug of the team.' }),
    })),
    async query({ role, orderBy }, context) {
      const teamIds = await findTeamIdsOfCaller(context, requires)
      return { filters: { role, teamIds }, orderBy: orderBy ?? { field: 'team', direction: 'asc' } }
    },
  }),
)
