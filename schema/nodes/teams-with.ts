import type { Context, TeamAccess } from '../core/context.ts'
import { authorize, isAuthorized } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { accessibleTeams, requirePrincipal } from '../core/team-access.ts'

/** The teams in which the caller meets a requirement. Throws if the credential lacks the scope. */
export async function teamsWith(context: Context, requirement: Requirement): Promise<readonly TeamAccess[]> {
  const principal = requirePrincipal(context)
  if (principal.kind === 'operator') return []
  const teams = (await accessibleTeams(context, principal)).filter((teamAccess) => isAuthorized(context, requirement, teamAccess))
  if (teams.length === 0) authorize(context, requirement, null)
  return teams
}
