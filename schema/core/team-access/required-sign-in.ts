import type { Ports } from '../ports.ts'
import type { Principal, TeamAccess } from '../principals.ts'

/**
 * SQL for when the user `u` last signed in through the provider that the team `t` requires, in seconds since 1970: 0 for never, null if the
 * team does not require it of the user. The function is called only if the team has a requirement; without one, no other table is read.
 */
export const requiredSignInAt =
  'CASE WHEN t.sign_in_provider_id IS NOT NULL THEN last_required_sign_in(t.id, t.sign_in_provider_id, u.id, u.email) END'

/** The time, and how many days a sign-in through a required provider counts (PROVIDER_SIGN_IN_DAYS). */
export type SignInClock = Pick<Ports, 'now' | 'providerSignInDays'>

const dayMilliseconds = 86_400_000

/** The time until which sign-ins through a required provider no longer count. */
export const signInsCountSince = ({ now, providerSignInDays }: SignInClock): Date =>
  new Date(now().getTime() - providerSignInDays * dayMilliseconds)

/** Whether a required sign-in is missing or too long ago. The argument is a value of `requiredSignInAt`. */
export const isSignInOverdue = (signedInAt: number | null, clock: SignInClock): boolean =>
  signedInAt !== null && signedInAt * 1000 <= signInsCountSince(clock).getTime()

/**
 * Whether the caller lacks the sign-in through a provider that the team requires, now or later (docs/decisions/required-sign-in.md). A
 * session must have signed in there itself, unless its user opened the team with a passkey as an owner. Of a token or a grant, its user must have.
 */
export function missingSignIn({ team, role, requiredSignInAt: at }: TeamAccess, principal: Principal, clock: SignInClock): boolean {
  const { signInProviderId } = team
  if (at === null || signInProviderId === null || principal.kind !== 'user') return false
  const { signIns } = principal
  if (signIns && role === 'owner' && signIns.ownerAccessTeamIds.includes(team.id)) return false
  return isSignInOverdue(at, clock) || (signIns !== null && !signIns.providerIds.includes(signInProviderId))
}

/** The same from the time on at which the team requires it: then the caller is refused. */
export function lacksSignIn(access: TeamAccess, principal: Principal, clock: SignInClock): boolean {
  const { signInRequiredAt } = access.team
  return signInRequiredAt !== null && new Date(signInRequiredAt) <= clock.now() && missingSignIn(access, principal, clock)
}
