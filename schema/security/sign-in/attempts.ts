import type { Context } from '../../core/context.ts'
import { observe } from '../../core/observation/observation.ts'
import { countAttempt, requireBrowser } from '../../core/attempts/count-attempt.ts'

const limits = { password: 'signInAccount', email_code: 'signInAccount', second_factor: 'secondFactor' } as const

/** The account whose credentials are verified. */
interface Target {
  /** Key of the counter. */
  key: string
  /** Identifier of the account; null if there is none. */
  userId: string | null
}

/**
 * Runs `verify`, which returns null or throws for wrong credentials, and counts it as an attempt: per client address and,
 * in the limit of the method, per account. A browser in which the account signed in before has a separate counter, so that attackers who used up the account's attempts
 * do not lock out its user. The attempt is counted before it is verified, so parallel attempts cannot exceed a limit. Throws `rate_limited`
 * beyond a limit; no account is locked permanently. See docs/decisions/accounts.md#attempt-limits.
 */
export async function withAttemptLimit<Verified>(
  context: Context,
  method: keyof typeof limits,
  { key, userId }: Target,
  verify: () => Promise<Verified | null>,
): Promise<Verified | null> {
  const { address, attemptLimits, findDevice } = requireBrowser(context)
  const limit = attemptLimits[limits[method]]
  const device = userId === null ? null : findDevice(userId)
  const counted = userId === null || device === null ? [key] : [userId, device]
  const report = (result: 'succeeded' | 'failed' | 'limited') => observe('signIn', { method, result })
  try {
    // The address is counted first: an address that exceeded its limit must not use up the attempts of any account.
    if (device === null) await countAttempt(attemptLimits.signInAddress, address)
    await countAttempt(limit, ...counted)
  } catch (error) {
    report('limited')
    throw error
  }
  const verified = await verify().catch((error: unknown) => {
    report('failed')
    throw error
  })
  report(verified === null ? 'failed' : 'succeeded')
  if (verified !== null) await Promise.all([device === null && attemptLimits.signInAddress.refund(address), limit.clear(...counted)])
  return verified
}
