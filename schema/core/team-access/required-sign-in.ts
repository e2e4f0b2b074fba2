import type { Ports } from '../ports.ts'
import type { Principal, TeamAccess } from '../principals.ts'

/**
 * SQL for the last sign-in of the user `u` through the provider that the team `t` requires, in seconds since 1970: 0 for never, null if not
 * required. The function is called only if the team has a requirement; without one, no other table is read.
 */
export const requiredSignInAt =
  'CASE WHEN t.sign_in_provider_id IS NOT NULL THEN last_required_sign_in(t.id, t.sign_in_provider_id, u.id, u.email) END'

/** The current time, and the number of days for which a sign-in through a required provider is valid (PROVIDER_SIGN_IN_DAYS). */
export type SignInClock = Pick<Ports, 'now' | 'providerSignInDays'>

const dayMilliseconds = 86_400_000

/** Returns the time before which sign-ins through a required provider are no longer valid. */
export const signInsCountSince = ({ now, providerSignInDays }: SignInClock): Date =>
  new Date(now().getTime() - providerSignInDays * dayMilliseconds)

/** Returns true if a required sign-in is missing or too long ago. The argument is a value of `requiredSignInAt`. */
export const isSignInOverdue = (signedInAt: number | null, clock: SignInClock): boolean =>
  signedInAt !== null && signedInAt * 1000 <= signInsCountSince(clock).getTime()

/**
 * Returns the required sign-in that the caller lacks, now or later (docs/decisions/required-sign-in.md). A session must have signed in
 * there itself, unless its user opened the team with a passkey as an owner. For a token or a grant, a sign-in of its user suffices.
 */
export function missingSignIn({ team, role, requiredSignInAt: at }: TeamAccess, principal: Principal, clock: SignInClock): boolean {
  const { signInProviderId } = team
  if (at === null || signInProviderId === null || principal.kind !== 'user') return false
  // The provider that the team requires gave the grant, by an assertion of the last minutes.
  if (principal.client?.providerId === signInProviderId) return false
  const { signIns } = principal
  if (signIns && role === 'owner' && signIns.ownerAccessTeamIds.includes(team.id)) return false
  return isSignInOverdue(at, clock) || (signIns !== null && !signIns.providerIds.includes(signInProviderId))
}

/** Returns true if the caller lacks the sign-in and the team requires it now: then the caller is refused. */
export function lacksSignIn(access: TeamAccess, principal: Principal, clock: SignInClock): boolean {
  const { signInRequiredAt } = access.team
  return signInRequiredAt !== null && new Date(signInRequiredAt) <= clock.now() && missingSignIn(access, principal, clock)
}
