import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { requiredSignInAt } from '../../../schema/core/team-access/required-sign-in.ts'
import { lacksTwoFactor } from '../../../schema/core/team-access/two-factor.ts'

/** A team of a user, for which the user may authorize a client. */
interface UserTeam {
  /** Internal key. */
  id: string
  slug: string
  name: string
  /** True if the team requires two-factor authentication, and the user has none. */
  isOverdue: boolean
  /** Time of the user's last sign-in through the provider that the team currently requires; null if it requires none. */
  requiredSignInAt: number | null
}

// SQL is necessary for the order: PostgreSQL's "C" collation, as in every list of teams.
const teamsOfUser = statement<UserTeam, [userId: string, now: Date]>(
  'team_options',
  `SELECT t.id, t.slug, t.name, t.two_factor_required_at IS NOT NULL AND t.two_factor_required_at <= $2 AND ${lacksTwoFactor} AS "isOverdue",
     CASE WHEN t.sign_in_required_at <= $2 THEN ${requiredSignInAt} END AS "requiredSignInAt"
   FROM members m JOIN users u ON u.id = m.user_id JOIN teams t ON t.id = m.team_id WHERE m.user_id = $1 AND t.deleted_at IS NULL ORDER BY t.slug COLLATE "C"`,
)

/** Returns the teams of a user by slug, whether the session reaches them or not. */
export const findUserTeams = ({ pool }: Pick<Database, 'pool'>, userId: string, now: Date): Promise<UserTeam[]> =>
  teamsOfUser(pool, userId, now)

/** Whether grants of a client are for a team (docs/decisions/oauth.md#clients). */
type TeamMode = 'none' | 'optional' | 'required'

/**
 * Returns true if the user has to choose the team of an authorization. A client whose team is optional can always get access to all teams,
 * too. Teams that the session does not reach count, because the user may mean them.
 */
export async function hasTeamChoice(database: Pick<Database, 'pool'>, mode: TeamMode, userId: string, now: Date): Promise<boolean> {
  if (mode !== 'required') return mode === 'optional'
  const teams = await findUserTeams(database, userId, now)
  return teams.length > 1
}
