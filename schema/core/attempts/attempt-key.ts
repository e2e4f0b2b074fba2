import type { Ports } from '../ports.ts'

/** The names of the limits of one account, which begin the keys of their counts. */
export const accountPolicies = { signInAccount: 'sign-in-account', secondFactor: 'second-factor' } as const

/**
 * Returns a digest of what an attempt is counted by, under SECRET_KEY. The table `attempt_counts` stores it after the name of the limit and a
 * colon, so a dump of the database reveals neither the attacked accounts nor the addresses of attackers.
 */
export const digestAttemptKey = ({ deriveSecret }: Pick<Ports, 'deriveSecret'>, parts: readonly string[]): string =>
  deriveSecret('guess', Buffer.from(JSON.stringify(parts))).toString('base64url')
