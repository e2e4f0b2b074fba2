import { isEndedInTeam } from './ended-sessions.ts'
import { isSlug } from './lazy-teams.ts'
import { lacksSignIn, missingSignIn } from './required-sign-in.ts'
import type { SignInClock } from './required-sign-in.ts'
import { missingTwoFactor, overdueTwoFactor } from './two-factor.ts'
import type { MissingTwoFactor } from './two-factor.ts'
import type { Context } from '../context.ts'
import type { OperatorPrincipal, Principal, TeamAccess, UserPrincipal } from '../principals.ts'
import { forbidden, secondFactorRequired, sessionEnded, signInRequired, twoFactorRequired, unauthenticated } from '../errors.ts'
import { slugOfTeam } from '../global-id.ts'

/** Returns the caller. Throws `unauthenticated` if the request has no valid credential. */
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
 * Returns the caller's access to a team. No other function decides this; every route, page and mutation calls it. An unknown slug, a
 * deleted team and an inaccessible one throw the same error, so that nothing is revealed (docs/decisions/errors.md#order-of-refusal). A
 * member without required two-factor authentication learns whether to turn it on or to sign in again
 * (docs/decisions/permissions.md#required-two-factor-authentication). A member without the required sign-in learns the provider, and one
 * whose session an owner ended learns to sign in again.
 */
export function requireTeamAccess(context: Context, slug: string): TeamAccess | Promise<TeamAccess> {
  return requireAccess(findTeamAccess(context, 'slug', slugOfTeam(slug)))
}

/** Returns the caller's access to a team with an internal key, by the same rules. */
export function requireTeamAccessById(context: Context, id: string): TeamAccess | Promise<TeamAccess> {
  return requireAccess(findTeamAccess(context, 'id', id))
}

type OptionalAccess = TeamAccess | null

/** Returns the caller's access by the same rules, but null instead of `team_forbidden`. */
export function findTeamAccess(context: Context, key: 'slug' | 'id', value: string): OptionalAccess | Promise<OptionalAccess> {
  const access = findTeam(context, key, value)
  return access instanceof Promise ? access.then((each) => checkSignIn(context, each)) : checkSignIn(context, access)
}

/**
 * Returns a team to which an object refers, or null instead of a refusal. A user without the sign-in that one team requires can therefore
 * still see their own objects, such as a list of connected apps.
 */
export async function findLinkedTeam(context: Context, id: string): Promise<OptionalAccess> {
  const access = await findTeam(context, 'id', id)
  return access && isOpen(access, requirePrincipal(context), context) ? access : null
}

/** Returns true if the caller meets the team's requirements for sign-in, and its owners have not ended the session. */
const isOpen = (access: TeamAccess, caller: Principal, clock: SignInClock): boolean =>
  !isEndedInTeam(access, caller) && overdueTwoFactor(access, caller, clock.now()) === null && !lacksSignIn(access, caller, clock)

function findTeam(context: Context, key: 'slug' | 'id', value: string): OptionalAccess | Promise<OptionalAccess> {
  const principal = requirePrincipal(context)
  return principal.kind === 'operator' || principal.kind === 'staff'
    ? operatorTeamAccess(context, key, value)
    : principal.teams.find(context.database.pool, key, value)
}

function checkSignIn(context: Context, access: OptionalAccess): OptionalAccess | Promise<OptionalAccess> {
  if (!access) return access
  const caller = requirePrincipal(context)
  if (isEndedInTeam(access, caller)) throw sessionEnded()
  const missing = overdueTwoFactor(access, caller, context.now())
  if (missing) throw missing === 'account' ? twoFactorRequired() : secondFactorRequired()
  return lacksSignIn(access, caller, context) ? refuseSignIn(context, access) : access
}

async function refuseSignIn({ database }: Context, { team, role }: TeamAccess): Promise<never> {
  const providerId = team.signInProviderId ?? ''
  const provider = await database.prisma.identityProvider.findUnique({ where: { id: providerId } })
  throw signInRequired({ team: team.slug, provider: provider?.name ?? 'its identity provider', providerId, isOwner: role === 'owner' })
}

/**
 * Returns the team with this slug of which the caller is an owner, even if the caller lacks a sign-in that the team requires. Use it only
 * for what an owner does about that. Throws `team_forbidden` for any other team.
 */
export async function requireOwnedTeam(context: Context, slug: string): Promise<TeamAccess> {
  const access = await findTeam(context, 'slug', slugOfTeam(slug))
  if (access?.role !== 'owner') throw forbidden('team_forbidden')
  return access
}

function requireAccess(access: OptionalAccess | Promise<OptionalAccess>): TeamAccess | Promise<TeamAccess> {
  if (access instanceof Promise) return access.then(requireAccess)
  if (!access) throw forbidden('team_forbidden')
  return access
}

// An operator has no memberships, nor have staff who act: the function reads the team and gives them the rights of an owner. `authorize`
// limits those of staff to the mutation.
async function operatorTeamAccess({ database }: Context, key: 'slug' | 'id', value: string): Promise<OptionalAccess> {
  if (key === 'slug' && !isSlug(value)) return null
  const where = key === 'slug' ? { slug: value } : { id: value }
  const team = await database.prisma.team.findUnique({ where: { ...where, deletedAt: null } })
  return team && { team, role: 'owner', allApplications: true, applications: [], lacksTwoFactor: false, requiredSignInAt: null }
}

type TeamCaller = Exclude<Principal, OperatorPrincipal>

/** Returns all teams that the caller can access, by slug. */
export const accessibleTeams = async (context: Context, caller: TeamCaller): Promise<readonly TeamAccess[]> =>
  (await caller.teams.all(context.database.pool)).filter((each) => isOpen(each, caller, context))

/** A team that requires two-factor authentication, now or after its grace period, with the part that its member lacks. */
export type TeamLackingTwoFactor = TeamAccess & { missing: MissingTwoFactor }

/** Returns the caller's teams that require two-factor authentication which the caller lacks. */
export const teamsLackingTwoFactor = async ({ database }: Context, caller: TeamCaller): Promise<readonly TeamLackingTwoFactor[]> =>
  (await caller.teams.all(database.pool)).flatMap((each) => {
    const missing = missingTwoFactor(each, caller)
    return missing ? [{ ...each, missing }] : []
  })

/** Returns the caller's teams whose owners ended the session there. */
export const teamsOfEndedSession = async ({ database }: Context, caller: TeamCaller): Promise<readonly TeamAccess[]> =>
  (await caller.teams.all(database.pool)).filter((each) => isEndedInTeam(each, caller))

/** Returns the caller's teams that require a sign-in through a provider, now or later, which the caller lacks. */
export const teamsLackingSignIn = async (context: Context, caller: TeamCaller): Promise<readonly TeamAccess[]> =>
  (await caller.teams.all(context.database.pool)).filter((each) => missingSignIn(each, caller, context))

/** Returns the keys of the caller's teams that require a sign-in through a provider, now or later, which the caller has. */
export const teamsOfRequiredSignIn = async (context: Context, caller: TeamCaller): Promise<string[]> =>
  (await caller.teams.all(context.database.pool))
    .filter((each) => each.team.signInProviderId !== null && !missingSignIn(each, caller, context))
    .map(({ team }) => team.id)
