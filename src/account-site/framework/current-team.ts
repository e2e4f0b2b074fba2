import type { TeamAccess } from '../../../schema/core/principals.ts'
import type { Cookies } from '../../web/cookies.ts'

const teamCookie = 'team'
const teamCookieSeconds = 365 * 86_400

/**
 * Returns the team whose area a page shows: the team in the path, which the browser then stores, or the last one of the browser, or that of
 * the user, or the first.
 */
export function findCurrentTeam(
  cookies: Cookies,
  team: TeamAccess | null,
  teams: readonly TeamAccess[],
  lastTeamId: string | null,
): TeamAccess | null {
  const last = cookies.get(teamCookie)
  if (team && team.team.slug !== last) cookies.set(teamCookie, team.team.slug, teamCookieSeconds)
  const lastOfUser = () => teams.find((each) => each.team.id === lastTeamId)
  return team ?? teams.find((each) => each.team.slug === last) ?? lastOfUser() ?? teams[0] ?? null
}
