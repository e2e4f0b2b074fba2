import type { Context, TeamAccess } from '../context.ts'

/**
 * SQL for whether a row of `users` has two-factor authentication, by the rule of `methodsOf` in
 * schema/security/second-factor/methods.ts: an authenticator app, or passkeys together with recovery codes.
 */
export const hasTwoFactor = (user: string): string => `(${user}.totp_secret IS NOT NULL
  OR EXISTS (SELECT FROM passkeys WHERE user_id = ${user}.id) AND EXISTS (SELECT FROM recovery_codes WHERE user_id = ${user}.id))`

/**
 * SQL for whether the team `t` requires two-factor authentication, now or after the grace period, and the user `u` has none. The
 * function `has_two_factor` of the database has the same rule. It is called only if the team requires it; a subquery would take time in
 * every request (prisma/migrations/20261122224000_has_two_factor).
 */
export const lacksTwoFactor = 'CASE WHEN t.two_factor_required_at IS NULL THEN false ELSE NOT has_two_factor(u.id) END'

/** Whether access is refused because the grace period is over and the user still has no two-factor authentication. */
export const isTwoFactorOverdue = ({ team: { twoFactorRequiredAt }, lacksTwoFactor }: TeamAccess, { now }: Pick<Context, 'now'>): boolean =>
  lacksTwoFactor && twoFactorRequiredAt !== null && new Date(twoFactorRequiredAt) <= now()
