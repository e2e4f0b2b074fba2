import type { TeamAccess } from '../../../schema/core/context.ts'
import type { Cookies } from '../../web/cookies.ts'

const cookie = 'team'
const cookieSeconds = 365 * 86_400

/** The team whose area a page shows: that of its path, which the browser then remembers, or the last one, or the first. */
export function findCurrentTeam(cookies: Cookies, team: TeamAccess | null, teams: readonly TeamAccess[]): TeamAccess | null {
  const last = cookies.get(cookie)
  if (team && team.team.slug !== last) cookies.set(cookie, team.team.slug, cookieSeconds)
  return team ?? teams.find((each) => each.team.slug === last) ?? teams[0] ?? null
}
