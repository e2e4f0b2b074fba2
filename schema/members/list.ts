import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import { anyContains } from '../builder/search.ts'
import { hasTwoFactor } from '../core/team-access/two-factor.ts'
import { defineList } from '../lists/list.ts'
import { memberColumns, withUserId } from './queries.ts'
import type { MemberRow, StoredMember } from './queries.ts'

export type MemberOrder = 'joined' | 'name' | 'role'

export interface MemberFilters {
  role?: Role | null | undefined
  /** Selects members who may use this product. */
  appId?: Application | null | undefined
  /** Pattern for the name or the address. */
  search?: string | null
  joinedSince?: Date | null | undefined
  /** End of the period, exclusive. */
  joinedUntil?: Date | null | undefined
  withoutTwoFactor?: boolean
}

/**
 * The members of a team. Indexes serve the orders by join time, role, and the name and address in `person`. The page by join time is a hot
 * list of the REST façade: one prepared statement reads the stored total, the page and the joined users.
 */
export const memberList = defineList<StoredMember, MemberRow, MemberOrder, MemberFilters>({
  name: 'members',
  // The join is a LEFT JOIN, so that PostgreSQL does not read the users when it only counts.
  rows: (team) => `FROM members r LEFT JOIN users u ON u.id = r.user_id WHERE r.team_id = ${team}`,
  id: 'r.user_id',
  columns: memberColumns,
  orders: {
    joined: { keys: [['r.joined_at', 'timestamptz']] },
    name: { keys: [['r.person', 'text']] },
    role: {
      keys: [
        ['r.role', '"Role"'],
        ['r.joined_at', 'timestamptz'],
      ],
    },
  },
  filters: {
    role: ({ value }) => `r.role = ${value}::"Role"`,
    appId: ({ value }) => `(r.all_applications OR r.applications @> ARRAY[${value}::"Application"])`,
    search: ({ value }) => anyContains(['r.person'], value),
    joinedSince: ({ value }) => `r.joined_at >= ${value}::timestamptz`,
    joinedUntil: ({ value }) => `r.joined_at < ${value}::timestamptz`,
    withoutTwoFactor: () => `NOT ${hasTwoFactor('r.user_id')}`,
  },
  toNode: withUserId,
  kept: {
    table: 'members',
    pages: { order: 'joined', columns: ['joined_at', 'user_id'] },
    // The LIMIT keeps PostgreSQL from reading all users to join fifty.
    joins: 'LEFT JOIN LATERAL (SELECT name, email, picture_id FROM users WHERE id = r.user_id LIMIT 1) u ON true',
  },
})
