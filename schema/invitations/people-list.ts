import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import { anyContains } from '../builder/search.ts'
import { defineList } from '../lists/list.ts'

/** A member, or a person with a pending invitation. Instants are text. */
export interface Person {
  /** The member's user identifier, or the invitation's identifier. */
  id: string
  teamId: string
  state: PersonState
  name: string | null
  email: string
  role: Role
  accessibleAppIds: Application[] | null
  since: string
  expiresAt: string | null
  lastActiveAt: string | null
  hasTwoFactor: boolean | null
}

export type PersonState = 'member' | 'invited'
export type PersonOrder = 'name' | 'role' | 'since' | 'last_active'

export interface PersonFilters {
  /** A pattern of the name or the address. */
  search?: string | null
  role?: Role | null | undefined
  state?: PersonState | null | undefined
  /** For callers who may not see invitations. */
  withoutInvitations?: true | null
  /** Without invitations that have expired. Always set. */
  current: true
}

const accessibleAppIds = 'CASE WHEN NOT r.all_applications THEN to_json(r.applications) END AS "accessibleAppIds"'

const lastActiveAt = `CASE WHEN r.state = 'member' THEN (
    SELECT max(at) FROM (
      SELECT max(last_used_at) AS at FROM sessions WHERE user_id = r.id
      UNION ALL SELECT max(last_used_at) FROM access_tokens WHERE user_id = r.id
      UNION ALL SELECT max(last_used_at) FROM oauth_grants WHERE user_id = r.id
    ) uses
  ) END`
const hasTwoFactor = `CASE WHEN r.state = 'member' THEN EXISTS (SELECT FROM recovery_codes WHERE user_id = r.id) END`

/**
 * The people of a team. No branch of the UNION has a condition or a join, so that PostgreSQL can merge the rows of both tables in
 * index order until the page is full. Otherwise it would read and sort all people first.
 */
const people = (name: string, activity: { lastActiveAt: string; hasTwoFactor: string }) =>
  defineList<Person, Person, PersonOrder, PersonFilters>({
    name,
    rows: (team) => `
      FROM (
        SELECT team_id, user_id AS id, user_id, 'member'::text AS state, NULL::text AS email, role, all_applications, applications,
          joined_at AS since, person, NULL::timestamptz AS expires_at, 'pending'::"InvitationStatus" AS status
        FROM members
        UNION ALL
        SELECT team_id, id, NULL::uuid, 'invited'::text, email, role, all_applications, applications,
          sent_at, email, expires_at, status
        FROM invitations
      ) r LEFT JOIN users u ON u.id = r.user_id WHERE r.team_id = ${team} AND r.status = 'pending'`,
    id: 'r.id',
    columns: `r.id, r.team_id AS "teamId", r.state, u.name, coalesce(u.email, r.email) AS email, r.role, ${accessibleAppIds}, r.since, r.expires_at AS "expiresAt",
      ${activity.lastActiveAt} AS "lastActiveAt", ${activity.hasTwoFactor} AS "hasTwoFactor"`,
    orders: {
      name: { keys: [['r.person', 'text']] },
      role: {
        keys: [
          ['r.role', '"Role"'],
          ['r.since', 'timestamptz'],
        ],
      },
      since: { keys: [['r.since', 'timestamptz']] },
      last_active: { keys: [[activity.lastActiveAt, 'timestamptz']], isNullable: true, isUnindexed: true },
    },
    filters: {
      search: ({ value }) => anyContains(['r.person'], value),
      role: ({ value }) => `r.role = ${value}::"Role"`,
      state: ({ value }) => `r.state = ${value}`,
      withoutInvitations: () => `r.state <> 'invited'`,
      current: ({ now }) => `(r.expires_at IS NULL OR r.expires_at > ${now})`,
    },
    accessFilters: ['withoutInvitations'],
    toNode: (row) => row,
  })

/** For callers who may change members: with the last activity of members, and whether they use two-factor authentication. */
export const peopleWithActivity = people('people_with_activity', { lastActiveAt, hasTwoFactor })
export const peopleWithoutActivity = people('people', { lastActiveAt: 'NULL::timestamptz', hasTwoFactor: 'NULL::boolean' })
