import type { Database } from '../../../prisma/connection/database.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { getClientHost } from '../../../schema/oauth/metadata-clients/client-url.ts'
import { requiredSignInAt } from '../../../schema/core/team-access/required-sign-in.ts'
import { lacksTwoFactor } from '../../../schema/core/team-access/two-factor.ts'
import type { Client } from './stored-client.ts'

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
  agentHosts: string[]
}

/** A client as far as the choice of a team is concerned. */
type TeamClient = Pick<Client, 'clientId' | 'source' | 'state' | 'team'>

// SQL is necessary for the order: PostgreSQL's "C" collation, as in every list of teams.
const teamsOfUser = statement<UserTeam, [userId: string, now: Date]>(
  'team_options',
  `SELECT t.id, t.slug, t.name, t.two_factor_required_at IS NOT NULL AND t.two_factor_required_at <= $2 AND ${lacksTwoFactor} AS "isOverdue",
     coalesce(to_json(t.agent_hosts), '[]') AS "agentHosts",
     CASE WHEN t.sign_in_required_at <= $2 THEN ${requiredSignInAt} END AS "requiredSignInAt"
   FROM members m JOIN users u ON u.id = m.user_id JOIN teams t ON t.id = m.team_id WHERE m.user_id = $1 AND t.deleted_at IS NULL ORDER BY t.slug COLLATE "C"`,
)

/**
 * Returns the teams of a user for which a client can be connected, by slug, whether the session reaches them or not. A client by URL that is
 * not open to everyone can be connected for the teams that allow its host.
 */
export async function findUserTeams(
  { pool }: Pick<Database, 'pool'>,
  { clientId, source, state }: Omit<TeamClient, 'team'>,
  userId: string,
  now: Date,
): Promise<UserTeam[]> {
  const teams = await teamsOfUser(pool, userId, now)
  if (source !== 'metadata' || state === 'listed') return teams
  const host = getClientHost(clientId)
  return teams.filter(({ agentHosts }) => agentHosts.includes(host))
}

/**
 * Returns true if the user has to choose the team of an authorization. A client whose team is optional can always get access to all teams,
 * too. Teams that the session does not reach count, because the user may mean them.
 */
export async function hasTeamChoice(database: Pick<Database, 'pool'>, client: TeamClient, userId: string, now: Date): Promise<boolean> {
  if (client.team !== 'required') return client.team === 'optional'
  const teams = await findUserTeams(database, client, userId, now)
  return teams.length > 1
}
