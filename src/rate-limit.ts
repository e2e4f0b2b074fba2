import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Principal } from '../schema/context.ts'
import { rateLimited } from '../schema/errors.ts'

const windowSeconds = 60

/**
 * Requests per credential and minute (decisions §8), counted in this process; `quota` 0 is no limit. Throws
 * `rate_limited` with the seconds until the window ends.
 */
export function limited<Given extends unknown[], Found extends Principal>(
  authenticate: (...given: Given) => Promise<Found | null>,
  quota: number,
): (...given: Given) => Promise<Found | null> {
  if (quota === 0) return authenticate
  const limiter = new RateLimiterMemory({ points: quota, duration: windowSeconds })
  const limit = { policy: 'api', quota, windowSeconds }
  return async (...given) => {
    const principal = await authenticate(...given)
    if (!principal || !('credentialId' in principal)) return principal
    try {
      await limiter.consume(principal.credentialId)
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) throw rateLimited(limit, refusal.msBeforeNext / 1000)
      throw refusal
    }
    return principal
  }
}
