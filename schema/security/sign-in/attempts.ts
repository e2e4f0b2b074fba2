import type { AttemptLimit } from '../../core/attempts/attempt-limit.ts'
import type { FailedSignInAccount, FailedSignInReason } from '../../core/attempts/failed-sign-in.ts'
import type { Context } from '../../core/context.ts'
import { DomainError } from '../../core/errors.ts'
import { observe } from '../../core/observation/observation.ts'
import { countAttempt, requireBrowser } from '../../core/attempts/count-attempt.ts'

const limits = { password: 'signInAccount', email_code: 'signInAccount', second_factor: 'secondFactor' } as const

/** The account whose credentials are verified. */
interface Target {
  /** Key of the counter. */
  key: string
  /** Identifier of the account; null if there is none. */
  userId: string | null
  /** The account that the browser sent; null if that cannot be one. */
  account: FailedSignInAccount | null
  /** Why the sign-in fails if the credentials are wrong. */
  wrongReason: FailedSignInReason
}

/**
 * Runs `verify`, which returns null or throws for wrong credentials, and counts it as an attempt: per client address and,
 * in the limit of the method, per account. A browser in which the account signed in before has a separate counter, so that attackers who used up the account's attempts
 * do not lock out its user. The attempt is counted before it is verified, so parallel attempts cannot exceed a limit. Throws `rate_limited`
 * beyond a limit; no account is locked permanently. A failure is recorded for the account. See docs/decisions/accounts.md#attempt-limits.
 */
export async function withAttemptLimit<Verified>(
  context: Context,
  method: keyof typeof limits,
  { key, userId, account, wrongReason }: Target,
  verify: () => Promise<Verified | null>,
): Promise<Verified | null> {
  const { address, attemptLimits, findDevice } = requireBrowser(context)
  const limit = attemptLimits[limits[method]]
  const device = userId === null ? null : findDevice(userId)
  const counted = userId === null || device === null ? [key] : [userId, device]
  const reportFailure = (result: 'failed' | 'limited', reason: FailedSignInReason) => {
    observe('signIn', { method, result })
    if (account) context.signInFailed({ account, method, reason })
  }
  const count = (counter: AttemptLimit, reason: FailedSignInReason, ...parts: string[]) =>
    countAttempt(counter, ...parts).catch((error: unknown) => {
      if (error instanceof DomainError) reportFailure('limited', reason)
      throw error
    })
  // The address is counted first: an address that exceeded its limit must not use up the attempts of any account.
  if (device === null) await count(attemptLimits.signInAddress, 'network_limited', address)
  await count(limit, 'account_limited', ...counted)
  const verified = await verify().catch((error: unknown) => {
    if (error instanceof DomainError) reportFailure('failed', wrongReason)
    throw error
  })
  if (verified === null) {
    reportFailure('failed', wrongReason)
    return null
  }
  observe('signIn', { method, result: 'succeeded' })
  await Promise.all([device === null && attemptLimits.signInAddress.refund(address), limit.clear(...counted)])
  return verified
}
