import { formatMinutes } from './attempt-limit.ts'
import type { AttemptLimit } from './attempt-limit.ts'
import type { BrowserSession } from '../browser-session.ts'
import type { Context } from '../context.ts'
import { DomainError, forbidden } from '../errors.ts'

/** Returns the browser of an operation that only pages of the account site execute; see `Requirement.browser`. */
export function requireBrowser({ browser }: Context): BrowserSession {
  if (!browser) throw forbidden('session_required')
  return browser
}

/** Counts an attempt under these parts. Users read this refusal on the page, so its message says how long to wait. */
export async function countAttempt(limit: AttemptLimit, ...parts: string[]): Promise<void> {
  try {
    await limit.attempt(...parts)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'rate_limited') throw error
    const { details } = error
    throw new DomainError('rate_limited', `Too many attempts. Try again in ${formatMinutes(details.retryAfterSeconds ?? 1)}.`, details)
  }
}

/**
 * Runs `find`, which looks up a link by its secret. A secret that never existed counts as an attempt of the client address;
 * one that expired or was used does not, because its holder received it. Throws `rate_limited` beyond the limit.
 */
export async function withLinkLimit<Target>(context: Context, find: () => Promise<Target | null>): Promise<Target | null> {
  const { address, attemptLimits } = requireBrowser(context)
  await attemptLimits.link.attempt(address)
  const target = await find()
  if (target) await attemptLimits.link.refund(address)
  return target
}

/**
 * Counts a request that anyone may send and that costs a password hash or a mail, by client address. It is never
 * refunded. Throws `rate_limited` beyond the limit.
 */
export async function countSignUp(context: Context): Promise<void> {
  const { address, attemptLimits } = requireBrowser(context)
  await countAttempt(attemptLimits.signUp, address)
}
