import type { Application, Role } from '../../../prisma/generated/client/enums.ts'
import { rfc3339 } from '../../../prisma/connection/row-types.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import type { StatementPool } from '../../../prisma/connection/statement-pool.ts'
import type { AccessibleTeam, TeamAccess } from '../principals.ts'
import { requiredSignInAt } from './required-sign-in.ts'
import { reaches } from './reach.ts'
import type { Reach, ReachSql } from './reach.ts'
import { accessibleTeamColumns, teamColumns } from './team-columns.ts'
import { lacksTwoFactor } from './two-factor.ts'

/** Access to a team as the statements return it. It is an array, because names would double the size of the JSON. */
export type StoredTeamAccess = [
  role: Role,
  allApplications: boolean,
  applications: Application[],
  id: string,
  slug: string,
  name: string,
  timezone: string | null,
  gravatarEmail: string | null,
  logoId: string | null,
  createdAt: string,
  updatedAt: string,
  twoFactorRequiredAt: string | null,
  signInProviderId: string | null,
  signInRequiredAt: string | null,
  /** Absent for a team token, which belongs to no user. */
  lacksTwoFactor?: boolean,
  requiredSignInAt?: number | null,
]

// A `StoredTeamAccess` of the user `u` by the membership `m` in the team `t`.
const access = `json_build_array(m.role, m.all_applications, m.applications, ${teamColumns}, ${lacksTwoFactor}, ${requiredSignInAt})`

/** SQL for the teams that a credential of the user `u` can access now, as a JSON array. `selection` limits the teams further. */
export const teamAccesses = (reach: ReachSql, selection = '') => `(SELECT json_agg(access) FROM (
     SELECT ${access} AS access FROM members m JOIN teams t ON t.id = m.team_id AND t.deleted_at IS NULL WHERE ${reaches({ ...reach, userId: 'u.id' })} ${selection}
   ) AS accesses)`

/**
 * SQL for the same access to the team with a slug. It is joined, because PostgreSQL needs about 15 µs more for a subquery. The user depends
 * on the team, so that PostgreSQL finds the membership by both. It would read all memberships of the user, since most users have few.
 */
export const teamAccessJoin = (reach: ReachSql, slug: string) => `LEFT JOIN teams t ON t.slug = ${slug} AND t.deleted_at IS NULL
   LEFT JOIN members m ON m.team_id = t.id AND ${reaches({ ...reach, userId: 'CASE WHEN t.id IS NOT NULL THEN u.id END' })}`
export const joinedTeamAccess = `CASE WHEN m.team_id IS NOT NULL THEN json_build_array(${access}) END`

type ReachParameters = [userId: string, teamIds: readonly string[] | null, revokedTeamIds: readonly string[]]
const reachParameters = { userId: '$1', teamIds: '$2::uuid[]', revokedTeamIds: '$3::uuid[]' }
interface Row {
  teams: StoredTeamAccess[] | null
}

const everyTeam = statement<Row, ReachParameters>(
  'team_accesses',
  `SELECT ${teamAccesses(reachParameters)} AS teams FROM users u WHERE u.id = $1`,
)

const namedTeams = statement<Row, [...ReachParameters, slugs: readonly string[], ids: readonly string[]]>(
  'named_team_accesses',
  `SELECT ${teamAccesses(
    reachParameters,
    'AND m.team_id = ANY (ARRAY(SELECT id FROM teams WHERE slug = ANY ($4) UNION ALL SELECT unnest($5::uuid[])))',
  )} AS teams FROM users u WHERE u.id = $1`,
)

/** Loads all teams that a reach contains. */
export async function loadTeamAccesses(pool: StatementPool, { userId, teamIds, revokedTeamIds }: Reach): Promise<TeamAccess[]> {
  const [row] = await everyTeam(pool, userId, teamIds, revokedTeamIds)
  return toTeamAccesses(row?.teams)
}

/** Loads those teams of a reach that have one of the slugs or internal keys. */
export async function loadNamedTeamAccesses(
  pool: StatementPool,
  { userId, teamIds, revokedTeamIds }: Reach,
  names: Record<'slug' | 'id', readonly string[]>,
): Promise<TeamAccess[]> {
  const [row] = await namedTeams(pool, userId, teamIds, revokedTeamIds, names.slug, names.id)
  return toTeamAccesses(row?.teams)
}

/** Decodes team accesses. */
export const toTeamAccesses = (stored: readonly StoredTeamAccess[] | null | undefined): TeamAccess[] => (stored ?? []).map(getTeamAccess)

function getTeamAccess(stored: StoredTeamAccess): TeamAccess {
  const [role, allApplications, applications, id, slug, name, timezone, gravatarEmail, logoId, createdAt, updatedAt, ...requirements] =
    stored
  const [twoFactorRequiredAt, signInProviderId, signInRequiredAt, lacking, signedInAt = null] = requirements
  const team = {
    id,
    slug,
    name,
    timezone,
    gravatarEmail,
    logoId,
    createdAt: rfc3339(createdAt),
    updatedAt: rfc3339(updatedAt),
    twoFactorRequiredAt: twoFactorRequiredAt && rfc3339(twoFactorRequiredAt),
    signInProviderId,
    signInRequiredAt: signInRequiredAt && rfc3339(signInRequiredAt),
  }
  return { team, role, allApplications, applications, lacksTwoFactor: lacking === true, requiredSignInAt: signedInAt }
}

/** Selects all teams, by slug. For operators. */
export const allTeams = statement<AccessibleTeam, []>(
  'all_teams',
  `SELECT ${accessibleTeamColumns} FROM teams WHERE deleted_at IS NULL ORDER BY slug`,
)
