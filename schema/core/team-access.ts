import { isSlug } from './team-access/lazy-teams.ts'
import type { Context, OperatorPrincipal, Principal, TeamAccess, UserPrincipal } from './context.ts'
import { forbidden, unauthenticated } from './errors.ts'

/** The caller; throws `unauthenticated` if the request has no valid credential. */
export function requirePrincipal(context: Context): Principal {
  if (!context.principal) throw unauthenticated()
  return context.principal
}

/** Returns the caller as a user. An operator passes every requirement but has no account, so it is refused here. */
export function requirePerson(context: Context): UserPrincipal {
  const principal = requirePrincipal(context)
  if (principal.kind !== 'user') throw forbidden('role_required')
  return principal
}

/**
 * The only function that decides whether the caller can access a team; every route, page and mutation calls it. An
 * unknown slug, a deleted team and an inaccessible one throw the same error, so that nothing is revealed (docs/decisions/errors.md#order-of-refusal).
 */
export function requireTeamAccess(context: Context, slug: string): TeamAccess | Promise<TeamAccess> {
  return required(findTeamAccess(context, 'slug', slug))
}

/** The same decision for a team's internal key. */
export function requireTeamAccessById(context: Context, id: string): TeamAccess | Promise<TeamAccess> {
  return required(findTeamAccess(context, 'id', id))
}

type Found = TeamAccess | null

/** The same decision, without an error. */
export function findTeamAccess(context: Context, key: 'slug' | 'id', value: string): Found | Promise<Found> {
  const principal = requirePrincipal(context)
  return principal.kind === 'operator' ? operatorTeamAccess(context, key, value) : principal.teams.find(context.database.pool, key, value)
}

function required(found: Found | Promise<Found>): TeamAccess | Promise<TeamAccess> {
  if (found instanceof Promise) return found.then(required)
  if (!found) throw forbidden('team_forbidden')
  return found
}

// An operator has no memberships: the team is read, and the operator acts as an owner.
async function operatorTeamAccess({ database }: Context, key: 'slug' | 'id', value: string): Promise<Found> {
  if (key === 'slug' && !isSlug(value)) return null
  const where = key === 'slug' ? { slug: value } : { id: value }
  const team = await database.prisma.team.findUnique({ where: { ...where, deletedAt: null } })
  return team && { team, role: 'owner', allApplications: true, applications: [] }
}

/** All teams that the caller can access, by slug. */
export function accessibleTeams({ database }: Context, { teams }: Exclude<Principal, OperatorPrincipal>) {
  return teams.all(database.pool)
}
