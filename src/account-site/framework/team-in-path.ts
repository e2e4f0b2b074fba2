import type { Request } from 'express'
import type { Context } from '../../../schema/core/context.ts'
import { forbidden } from '../../../schema/core/errors.ts'
import { slugOfTeam } from '../../../schema/core/global-id.ts'
import type { TeamAccess } from '../../../schema/core/principals.ts'
import { findTeamAccess } from '../../../schema/core/team-access/team-access.ts'
import { readInSupportSession } from '../../../schema/teams/support-sessions/reading.ts'

/** The team in the path of a request. */
export interface TeamInPath {
  team: TeamAccess
  /** Set if the user reads the page as staff in a support session: the context of its queries, and when the support session ends. */
  support: { context: Context; expiresAt: Date } | null
}

/**
 * Returns the user's access to the team in the path. Staff without access read a page in a support session of the team: only by GET, and
 * only if the request is for a page, since a file contains more than staff need to help. Throws `team_forbidden` for everybody else.
 */
export async function openTeamInPath(context: Context, slug: string, request: Request, isPage: boolean): Promise<TeamInPath> {
  const team = await findTeamAccess(context, 'slug', slugOfTeam(slug))
  if (team) return { team, support: null }
  const [path = ''] = request.originalUrl.split('?')
  const isReadable = isPage && request.method === 'GET' && path.startsWith('/teams/')
  const reading = isReadable ? await readInSupportSession(context, slug, path) : null
  if (!reading) throw forbidden('team_forbidden')
  const { principal, access, expiresAt } = reading
  return { team: access, support: { context: { ...context, principal }, expiresAt } }
}
