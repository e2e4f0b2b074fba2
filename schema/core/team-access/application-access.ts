import type { Application } from '../../../prisma/generated/client/enums.ts'
import type { Context } from '../context.ts'
import { accessibleTeams, requirePrincipal } from './team-access.ts'

/** Returns true if the user can use the application in at least one team. */
export async function hasApplication(context: Context, application: Application): Promise<boolean> {
  const principal = requirePrincipal(context)
  if (principal.kind === 'operator') return true
  const teams = await accessibleTeams(context, principal)
  return teams.some(({ allApplications, applications }) => allApplications || applications.includes(application))
}
