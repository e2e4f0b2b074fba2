import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import { defineList } from '../lists/list.ts'

/** A member, or a person with a pending invitation. Instants are text. */
export interface Person {
  /** The member's user identifier, or the invitation's identifier. */
  id: string
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
  withoutInvitations?: boolean
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
 * The people of a team. The indexes on the team find its members and invitations, and those on the user what a member used; names
 * are compared after that, since a team has few people compared with all users.
 */
const people = (name: string, activity: { lastActiveAt: string; hasTwoFactor: string }) =>
  defineList<Person, Person, PersonOrder, PersonFilters>({
    name,
    rows: (team) => `
      FROM (
        SELECT m.user_id AS id, 'member' AS state, u.name, u.email, m.role, m.all_applications, m.applications, m.joined_at AS since,
          NULL::timestamptz AS expires_at
        FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = ${team}
        UNION ALL
        SELECT id, 'invited', NULL, email, role, all_applications, applications, sent_at, expires_at
        FROM invitations WHERE team_id = ${team} AND status = 'pending'
      ) r WHERE true`,
    id: 'r.id',
    columns: `r.id, r.state, r.name, r.email, r.role, ${accessibleAppIds}, r.since, r.expires_at AS "expiresAt",
      ${activity.lastActiveAt} AS "lastActiveAt", ${activity.hasTwoFactor} AS "hasTwoFactor"`,
    orders: {
      name: { keys: [['lower(coalesce(r.name, r.email))', 'text']] },
      role: { keys: [['r.role', '"Role"']] },
      since: { keys: [['r.since', 'timestamptz']] },
      last_active: { keys: [[activity.lastActiveAt, 'timestamptz']], isNullable: true },
    },
    filters: {
      search: ({ value }) => `concat_ws(E'\\n', r.name, r.email) ILIKE ${value}`,
      role: ({ value }) => `r.role = ${value}::"Role"`,
      state: ({ value }) => `r.state = ${value}`,
      withoutInvitations: () => `r.state <> 'invited'`,
      current: ({ now }) => `(r.expires_at IS NULL OR r.expires_at > ${now})`,
    },
    toNode: (row) => row,
  })

/** For callers who may change members: with the last activity of members, and whether they use two-factor authentication. */
export const peopleWithActivity = people('people_with_activity', { lastActiveAt, hasTwoFactor })
export const peopleWithoutActivity = people('people', { lastActiveAt: 'NULL::timestamptz', hasTwoFactor: 'NULL::boolean' })
