import type { Context, Principal, Reach, UserPrincipal } from './context.ts'
import { forbidden, unauthenticated } from './errors.ts'

/** Throws unless somebody is asking. */
export function authenticated(context: Context): Principal {
  if (!context.principal) throw unauthenticated()
  return context.principal
}

/** The person whose session asks; for what is theirs alone, so that nobody else has one. */
export function sessionPerson(context: Context): UserPrincipal {
  const principal = authenticated(context)
  // The operator may do what sessions may, but is nobody with an account.
  if (principal.kind !== 'user') throw forbidden('role_required')
  return principal
}

/**
 * The only gate to a team, for every route, page and mutation. An unknown slug and a team out of reach are refused
 * alike, so that nothing is revealed (decisions §1).
 */
export function reachTeam(context: Context, slug: string): Reach | Promise<Reach> {
  const principal = authenticated(context)
  if (principal.kind === 'operator') return reachAsOperator(context, { slug })
  return within(principal.teams.find(({ team }) => team.slug === slug))
}

/** The same gate where the team is known by its internal key. */
export function reachById(context: Context, id: string): Reach | Promise<Reach> {
  const principal = authenticated(context)
  if (principal.kind === 'operator') return reachAsOperator(context, { id })
  return within(principal.teams.find(({ team }) => team.id === id))
}

function within(reach: Reach | undefined): Reach {
  if (!reach) throw forbidden('team_forbidden')
  return reach
}

// The operator holds no memberships: the team is looked up, and acted on as an owner.
async function reachAsOperator(context: Context, where: { slug: string } | { id: string }): Promise<Reach> {
  const storable = !('slug' in where) || /^[a-z0-9-]{1,64}$/.test(where.slug)
  const team = storable ? await context.database.prisma.team.findUnique({ where }) : null
  if (!team) throw forbidden('team_forbidden')
  return { team, role: 'owner', allApplications: true, applications: [] }
}
