import { statement } from '../../../prisma/statement/statement.ts'

/** The limits of the teams that a user's credential can access. */
export interface Reach {
  userId: string
  /** The teams that were selected when access was granted; null for all teams. */
  teamIds: readonly string[] | null
  /** Teams whose owners revoked the credential's access. */
  revokedTeamIds: readonly string[]
}

/** The limits as SQL expressions. */
export type ReachSql = Record<keyof Reach, string>

/** Returns the reach of a personal token, which is a row of `access_tokens`. Without an element in `team_ids`, it is not limited. */
export const tokenReach = (token: string): ReachSql => ({
  userId: `${token}.user_id`,
  teamIds: `nullif(${token}.team_ids, '{}')`,
  revokedTeamIds: `${token}.revoked_team_ids`,
})

/** Returns the reach of a row of `oauth_grants`. */
export const grantReach = (grant: string): ReachSql => ({
  userId: `${grant}.user_id`,
  teamIds: `CASE WHEN ${grant}.team_id IS NOT NULL THEN ARRAY[${grant}.team_id] END`,
  revokedTeamIds: `${grant}.revoked_team_ids`,
})

/** Builds the condition that a credential can access a team, if its user is a member. */
export const isOpenTo = ({ teamIds, revokedTeamIds }: Omit<ReachSql, 'userId'>, team: string) =>
  `(${teamIds} IS NULL OR ${team} = ANY (${teamIds})) AND ${team} <> ALL (${revokedTeamIds})`

/** Builds the condition that a credential can access the team of a membership `m`. The statements that authenticate requests contain it. */
export const reaches = (reach: ReachSql) => `m.user_id = ${reach.userId} AND ${isOpenTo(reach, 'm.team_id')}`

/** Builds a statement that removes a team from the reach of a credential. It returns no row if the team was removed already. */
export const takeTeamFrom = (table: 'access_tokens' | 'oauth_grants') =>
  statement<{ id: string }, [id: string, teamId: string]>(
    `take_team_from_${table}`,
    `UPDATE ${table} SET revoked_team_ids = revoked_team_ids || $2::uuid WHERE id = $1 AND $2 <> ALL (revoked_team_ids) RETURNING id`,
  )
