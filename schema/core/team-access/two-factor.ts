import type { Principal, TeamAccess } from '../principals.ts'

/** SQL condition that a user has two-factor authentication, for conditions on rows. The view contains the rule (prisma/migrations). */
export const hasTwoFactor = (userId: string): string => `EXISTS (SELECT FROM users_with_two_factor WHERE id = ${userId})`

/** SQL for the same condition in each row of a page, by a function that reads the view. For a subquery, PostgreSQL may read all users. */
export const isTwoFactorOn = (userId: string): string => `has_two_factor(${userId})`

/**
 * SQL condition that the team `t` requires two-factor authentication, now or after the grace period, and the user `u` has none. The
 * function is called only if the team requires it; a subquery would take time in every request.
 */
export const lacksTwoFactor = `CASE WHEN t.two_factor_required_at IS NULL THEN false ELSE NOT ${isTwoFactorOn('u.id')} END`

/**
 * SQL condition that the user of a session has two-factor authentication that the session has not proved, such as in a session that is
 * older than it. The argument is the alias of `sessions`.
 */
export const isTwoFactorUnproved = (session: string): string =>
  `CASE WHEN ${session}.proved_two_factor THEN false ELSE ${isTwoFactorOn(`${session}.user_id`)} END`

/** The missing part of the two-factor authentication that a team requires: the account has none, or the session has not proved it. */
export type MissingTwoFactor = 'account' | 'session'

/** Returns what the caller lacks of the requirement, now or after the grace period, or null. Only sessions must prove two factors. */
export function missingTwoFactor({ team, lacksTwoFactor }: TeamAccess, principal: Principal): MissingTwoFactor | null {
  if (lacksTwoFactor) return 'account'
  return team.twoFactorRequiredAt !== null && principal.kind === 'user' && principal.provedTwoFactor === false ? 'session' : null
}

/** Returns what the caller lacks after the grace period: then the caller is refused. */
export const overdueTwoFactor = (access: TeamAccess, principal: Principal, now: Date): MissingTwoFactor | null => {
  const { twoFactorRequiredAt } = access.team
  return twoFactorRequiredAt !== null && new Date(twoFactorRequiredAt) <= now ? missingTwoFactor(access, principal) : null
}
