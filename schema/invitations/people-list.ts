import type { Application, Role } from '../../prisma/generated/client/enums.ts'
import { anyContains } from '../builder/search.ts'
import { requiredSignInAt } from '../core/team-access/required-sign-in.ts'
import { isTwoFactorOn } from '../core/team-access/two-factor.ts'
import { defineList } from '../lists/list.ts'
import { rowsFrom } from '../lists/parts.ts'

/** A member, or a person with a pending invitation. Instants are text. */
export interface Person {
  /** The member's user identifier, or the invitation's identifier. */
  id: string
  teamId: string
  state: PersonState
  name: string | null
  email: string
  pictureId: string | null
  role: Role
  accessibleAppIds: Application[] | null
  isManaged: boolean
  /** True if the directory of the team invited the person. */
  isFromDirectory: boolean
  since: string
  expiresAt: string | null
  lastActiveAt: string | null
  hasTwoFactor: boolean | null
  /** A value of `requiredSignInAt`, as text. */
  requiredSignInAt: string | null
}

export type PersonState = 'member' | 'invited'
export type PersonOrder = 'name' | 'role' | 'since' | 'last_active'

export interface PersonFilters {
  /** Pattern for the name or the address. */
  search?: string | null
  role?: Role | null | undefined
  state?: PersonState | null | undefined
  hasTwoFactor?: boolean | null | undefined
  /** Selects members whose last sign-in through the provider that the team requires is later than `since`, or is not. */
  requiredSignIn?: { isDone: boolean; since: Date } | null
  /** Set for callers who may not see invitations. */
  withoutInvitations?: true | null
  /** Excludes invitations that have expired. Always set. */
  current: true
}

/** SQL of the columns of a user `u` that only callers who may change members can read. */
const activity = {
  at: 'u.last_active_at',
  hasTwoFactor: isTwoFactorOn('m.user_id'),
  requiredSignInAt: `(SELECT ${requiredSignInAt} FROM teams t WHERE t.id = m.team_id)`,
}
const noActivity = { at: 'NULL::timestamptz', hasTwoFactor: 'NULL::boolean', requiredSignInAt: 'NULL::bigint' }

/** Builds the part of the list with the members. PostgreSQL omits the join in totals, because it is an outer join. */
const members = (team: string, shown: typeof activity) =>
  rowsFrom(
    team,
    `SELECT m.user_id AS id, 'member' AS state, u.name, u.email, u.picture_id, m.role, m.all_applications, m.applications, m.managed, m.joined_at AS since, m.person,
       false AS from_directory, NULL::timestamptz AS expires_at, ${shown.at} AS last_active_at, ${shown.hasTwoFactor} AS has_two_factor,
       ${shown.requiredSignInAt} AS required_sign_in_at
     FROM members m LEFT JOIN users u ON u.id = m.user_id WHERE m.team_id = ${team}`,
  )

const invitations = (team: string) =>
  rowsFrom(
    team,
    `SELECT i.id, 'invited' AS state, NULL AS name, i.email, NULL AS picture_id, i.role, i.all_applications, i.applications, false AS managed, i.sent_at AS since, i.email AS person,
       i.directory_user_id IS NOT NULL AS from_directory, i.expires_at, NULL::timestamptz AS last_active_at, NULL::boolean AS has_two_factor,
       NULL::bigint AS required_sign_in_at
     FROM invitations i WHERE i.team_id = ${team} AND i.status = 'pending'`,
  )

const people = (name: string, shown: typeof activity) =>
  defineList<Person, Person, PersonOrder, PersonFilters>({
    name,
    rows: (team, { state }) => [...(state === 'invited' ? [] : [members(team, shown)]), ...(state === 'member' ? [] : [invitations(team)])],
    id: 'r.id',
    columns: `r.id, r.team_id AS "teamId", r.state, r.name, r.email, r.picture_id AS "pictureId", r.role, r.managed AS "isManaged", r.from_directory AS "isFromDirectory", r.since, r.expires_at AS "expiresAt",
      CASE WHEN NOT r.all_applications THEN to_json(r.applications) END AS "accessibleAppIds",
      r.last_active_at AS "lastActiveAt", r.has_two_factor AS "hasTwoFactor",
      r.required_sign_in_at AS "requiredSignInAt"`,
    orders: {
      name: { keys: [['r.person', 'text']] },
      role: {
        keys: [
          ['r.role', '"Role"'],
          ['r.since', 'timestamptz'],
        ],
      },
      since: { keys: [['r.since', 'timestamptz']] },
      last_active: { keys: [['r.last_active_at', 'timestamptz']], isNullable: true },
    },
    filters: {
      search: ({ value }) => anyContains(['r.person'], value),
      role: ({ value }) => `r.role = ${value}::"Role"`,
      state: ({ value }) => `r.state = ${value}`,
      // The value is null for invitations, and for callers who may not see the activity of members: no such row matches.
      hasTwoFactor: () => 'r.has_two_factor',
      requiredSignIn: ({ part }) =>
        `(r.required_sign_in_at > extract(epoch FROM ${part('since')}::timestamptz)) = ${part('isDone')}::boolean`,
      withoutInvitations: () => `r.state <> 'invited'`,
      current: ({ now }) => `(r.expires_at IS NULL OR r.expires_at > ${now})`,
    },
    accessFilters: ['withoutInvitations'],
    toNode: (row) => row,
  })

/** The list for callers who may change members: with their last activity, two-factor authentication and required sign-in. */
export const peopleWithActivity = people('people_with_activity', activity)
export const peopleWithoutActivity = people('people', noActivity)
