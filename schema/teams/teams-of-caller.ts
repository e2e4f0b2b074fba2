import { z } from 'zod'
import { builder } from '../builder/builder.ts'
import type { Context } from '../core/context.ts'
import type { AccessibleTeam, TeamAccess } from '../core/principals.ts'
import { forbidden } from '../core/errors.ts'
import { slugOfTeam } from '../core/global-id.ts'
import { authorize, isAuthorized } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { accessibleTeams, findTeamAccess, requirePrincipal } from '../core/team-access/team-access.ts'
import { allTeams } from '../core/team-access/queries.ts'
import { parse } from '../core/validation.ts'

const maxTeams = 1000
const rules = z.object({ teams: z.array(z.string()).max(maxTeams) })

/** The argument that selects the teams of a field over several teams. */
export const teamsArgument = builder.args((t) => ({
  teams: t.stringList({
    description: `Slugs of the teams, at most ${maxTeams}. The caller needs the required role in each. Default: all accessible teams in which the caller has it.`,
  }),
}))

/**
 * Returns the teams with these slugs; throws the error that the field of a single team would throw. Without slugs, returns all teams of the
 * caller in which the requirement is met.
 */
export async function findTeamsOfCaller(
  context: Context,
  requires: Requirement,
  slugs: readonly string[] | null | undefined,
): Promise<readonly AccessibleTeam[]> {
  if (slugs) {
    const { teams } = parse(rules, { teams: slugs })
    const accesses = await Promise.all([...new Set(teams)].map(async (slug) => findTeamAccess(context, 'slug', slugOfTeam(slug))))
    return accesses.map((teamAccess) => {
      if (!teamAccess) throw forbidden('team_forbidden')
      authorize(context, requires, teamAccess)
      return teamAccess.team
    })
  }
  const principal = requirePrincipal(context)
  if (principal.kind === 'operator') return allTeams(context.database.pool)
  const isOpen = (teamAccess: TeamAccess) => isAuthorized(context, requires, teamAccess)
  return (await accessibleTeams(context, principal)).filter(isOpen).map(({ team }) => team)
}

/**
 * Returns the keys of the teams in which the caller meets a requirement; null for an operator, who meets it in every team. Throws if the
 * credential lacks the scope.
 */
export async function findTeamIdsOfCaller(context: Context, requires: Requirement): Promise<readonly string[] | null> {
  const principal = requirePrincipal(context)
  if (principal.kind === 'operator') return null
  const teams = (await accessibleTeams(context, principal)).filter((teamAccess) => isAuthorized(context, requires, teamAccess))
  if (teams.length === 0) authorize(context, requires, null)
  return teams.map(({ team }) => team.id)
}
