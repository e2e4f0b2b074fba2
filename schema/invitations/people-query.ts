import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import { listStatement } from '../builder/list-statement.ts'

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

type Values = [
  teamId: string,
  now: Date,
  pattern: string | null,
  role: Role | null,
  state: PersonState | null,
  seesInvitations: boolean,
  seesActivity: boolean,
]

const accessibleAppIds = 'CASE WHEN NOT all_applications THEN to_json(applications) END AS "accessibleAppIds"'

/**
 * Reads a page of a team's people. The indexes on the team find its members and invitations, and those on the user what a member
 * used; names are compared after that, since a team has few people compared with all users.
 */
export const findPeople = listStatement<Person, PersonOrder, Values>({
  name: 'people',
  matching: `
    SELECT p.*, lower(coalesce(p.name, p.email)) AS "sortName" FROM (
      SELECT m.user_id AS id, 'member' AS state, u.name, u.email, m.role, ${accessibleAppIds}, m.joined_at AS since,
        NULL::timestamptz AS "expiresAt"
      FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = $3
      UNION ALL
      SELECT id, 'invited', NULL, email, role, ${accessibleAppIds}, sent_at, expires_at
      FROM invitations WHERE team_id = $3 AND status = 'pending' AND expires_at > $4 AND $8
    ) p
    WHERE ($5::text IS NULL OR p.name ILIKE $5 OR p.email ILIKE $5) AND ($6::"Role" IS NULL OR p.role = $6)
      AND ($7::text IS NULL OR p.state = $7)`,
  columns: `r.*,
    CASE WHEN $9 AND r.state = 'member' THEN (
      SELECT max(at) FROM (
        SELECT max(last_used_at) AS at FROM sessions WHERE user_id = r.id
        UNION ALL SELECT max(last_used_at) FROM access_tokens WHERE user_id = r.id
        UNION ALL SELECT max(last_used_at) FROM oauth_grants WHERE user_id = r.id
      ) uses
    ) END AS "lastActiveAt",
    CASE WHEN $9 AND r.state = 'member' THEN EXISTS (SELECT FROM recovery_codes WHERE user_id = r.id) END AS "hasTwoFactor"`,
  orders: { name: '"sortName"', role: 'role', since: 'since', last_active: '"lastActiveAt"' },
})
