import { statement } from '../../prisma/statement/statement.ts'
import type { StatementPool } from '../../prisma/connection/statement-pool.ts'
import { LazyTeams, isSlug } from '../../schema/core/team-access/lazy-teams.ts'
import { teamColumns } from '../../schema/core/team-access/team-columns.ts'
import { joinedTeamAccess, teamAccesses, toTeamAccesses, teamAccessJoin } from '../../schema/core/team-access/queries.ts'
import type { StoredTeamAccess } from '../../schema/core/team-access/queries.ts'
import type { Reach, ReachSql } from '../../schema/core/team-access/reach.ts'

// Most users have few teams. These are loaded together with the credential if the request does not specify one.
const fewTeams = 10

/** An SQL expression for the access of a team token or a machine to its own team `t`, with the rights of an owner: a `StoredTeamAccess`. */
export const ownerAccessSql = `json_build_array('owner', true, '[]'::json, ${teamColumns})`

/**
 * Prepares two statements that find a user's credential by the hash of its value. For a request with a team, the first also reads the
 * user's rights in this team; otherwise, the second reads those in up to `fewTeams` + 1 teams. A plan for both cases would read all
 * memberships of the user in the first case, too. `text` writes a statement around two pieces of SQL: the expression for the teams, and the
 * tables that are joined with `users u` for it.
 */
export function credentialStatement<Row extends object>(name: string, reach: ReachSql, text: (teams: string, join: string) => string) {
  const byTeam = statement<Row, [hash: Buffer, now: Date, slug: string]>(
    `${name}_of_team`,
    text(joinedTeamAccess, teamAccessJoin(reach, '$3')),
    { startsRequests: true },
  )
  const withFewTeams = statement<Row, [hash: Buffer, now: Date]>(name, text(teamAccesses(reach, `LIMIT ${fewTeams + 1}`), ''), {
    startsRequests: true,
  })
  return async (pool: StatementPool, hash: Buffer, now: Date, slug: string | null): Promise<Row | undefined> => {
    const [row] = await (slug === null ? withFewTeams(pool, hash, now) : byTeam(pool, hash, now, isSlug(slug) ? slug : ''))
    return row
  }
}

/** Returns the teams of a credential from the columns that a `credentialStatement` selected with this slug. */
export function teamsOfCredential(reach: Reach, stored: StoredTeamAccess[] | null, slug: string | null): LazyTeams {
  const loaded = toTeamAccesses(stored)
  const areAll = slug === null && loaded.length <= fewTeams
  return new LazyTeams(areAll ? null : reach, loaded, slug)
}
