import type { Context, TeamAccess } from '../context.ts'

/** SQL for whether a user has two-factor authentication, as a condition on rows. The view has the rule (prisma/migrations). */
export const hasTwoFactor = (userId: string): string => `EXISTS (SELECT FROM users_with_two_factor WHERE id = ${userId})`

/** The same for each row of a page, by a function that reads the view. For a subquery, PostgreSQL may read all users. */
export const isTwoFactorOn = (userId: string): string => `has_two_factor(${userId})`

/**
 * SQL for whether the team `t` requires two-factor authentication, now or after the grace period, and the user `u` has none. The
 * function is called only if the team requires it; a subquery would take time in every request.
 */
export const lacksTwoFactor = `CASE WHEN t.two_factor_required_at IS NULL THEN false ELSE NOT ${isTwoFactorOn('u.id')} END`

/** Whether access is refused because the grace period is over and the user still has no two-factor authentication. */
export const isTwoFactorOverdue = ({ team: { twoFactorRequiredAt }, lacksTwoFactor }: TeamAccess, { now }: Pick<Context, 'now'>): boolean =>
  lacksTwoFactor && twoFactorRequiredAt !== null && new Date(twoFactorRequiredAt) <= now()
