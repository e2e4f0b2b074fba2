import type pg from 'pg'
import { statement } from '../../prisma/statement.ts'
import { LazyTeams, isSlug } from '../../schema/core/team-access/lazy-teams.ts'
import { teamAccesses, teamAccessesOf } from '../../schema/core/team-access/queries.ts'
import type { Reach, StoredTeamAccess } from '../../schema/core/team-access/queries.ts'

// Most users have few teams: those are loaded together with the credential when the request does not name one.
const fewTeams = 10

/**
 * A statement that finds a credential by the hash of its value, with the team whose slug is given or, without a slug, with up to
 * `fewTeams` + 1 teams. `text` receives SQL that selects the teams for a reach. Two statements, because one plan for both would
 * read all memberships of the user although the request names one team.
 */
export function credentialStatement<Row extends object>(name: string, text: (teamsOf: TeamsOf) => string) {
  const byTeam = statement<Row, [hash: Buffer, now: Date, slug: string]>(
    `${name}_of_team`,
    text((reach) => teamAccesses(reach, 'AND m.team_id = (SELECT id FROM teams WHERE slug = $3)')),
  )
  const withFewTeams = statement<Row, [hash: Buffer, now: Date]>(
    name,
    text((reach) => teamAccesses(reach, `LIMIT ${fewTeams + 1}`)),
  )
  return async (pool: pg.Pool, hash: Buffer, now: Date, slug: string | null): Promise<Row | undefined> => {
    const [row] = await (slug === null ? withFewTeams(pool, hash, now) : byTeam(pool, hash, now, isSlug(slug) ? slug : ''))
    return row
  }
}
type TeamsOf = (reach: Record<keyof Reach, string>) => string

/** The teams of a credential, from what a `credentialStatement` selected with this slug. */
export function teamsOfCredential(reach: Reach, stored: StoredTeamAccess[] | null, slug: string | null): LazyTeams {
  const loaded = teamAccessesOf(stored)
  const areAll = slug === null && loaded.length <= fewTeams
  return new LazyTeams(areAll ? null : reach, loaded, slug)
}
