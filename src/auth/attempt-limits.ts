import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../prisma/connection/database.ts'
import type { AccountAttemptLimits, AttemptLimit } from '../../schema/core/attempts/attempt-limit.ts'
import type { Ports } from '../../schema/core/context.ts'
import { rateLimited } from '../../schema/core/errors.ts'

/** Attempts that each limit allows per window; 0 disables the limit. */
export interface AttemptLimitSettings {
  rateLimitSignInAccount: number
  rateLimitSignInAddress: number
  rateLimitSignUp: number
  rateLimitClientSecret: number
  rateLimitUserCode: number
  rateLimitLink: number
  rateLimitAuthorization: number
}

/** Every attempt limit: those of the account site and those of the authorization server. */
export interface AttemptLimits extends AccountAttemptLimits {
  /** Wrong secrets of one client from one client address. */
  clientSecret: AttemptLimit
  /** Models from one client address without a user (src/oidc/storage/anonymous-models.ts). Counts stored rows, not attempts. */
  pendingAuthorizations: { quota: number; networkHash(network: string): Buffer }
  /** User codes of the device flow, per session and per client address. */
  userCode: AttemptLimit
}

export interface AttemptLimitsPorts {
  database: Database
  deriveSecret: Ports['deriveSecret']
  limits: AttemptLimitSettings
}

const minute = 60

/**
 * Creates the attempt limits. Counts are stored in the database, so that all processes share them. Keys are digests under
 * SECRET_KEY: a database dump reveals neither the accounts that were attacked nor the addresses of attackers. While the
 * database is unavailable attempts fail, so no attempt goes uncounted. See docs/decisions/accounts.md#attempt-limits.
 */
export function createAttemptLimits({ database, deriveSecret, limits }: AttemptLimitsPorts): AttemptLimits {
  const keyOf = (parts: string[]) => deriveSecret('guess', Buffer.from(JSON.stringify(parts))).toString('base64url')

  function limit(policy: string, quota: number, windowSeconds: number): AttemptLimit {
    if (quota === 0) return unlimited
    const limiter = new RateLimiterPostgres({
      storeClient: database.pool,
      storeType: 'pool',
      tableName: 'attempt_counts',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: policy,
      points: quota,
      duration: windowSeconds,
    })
    return {
      async attempt(...parts) {
        try {
          await limiter.consume(keyOf(parts))
        } catch (refusal) {
          if (refusal instanceof RateLimiterRes) throw rateLimited({ policy, quota, windowSeconds }, refusal.msBeforeNext / 1000)
          throw refusal
        }
      },
      refund: async (...parts) => void (await limiter.reward(keyOf(parts))),
      clear: async (...parts) => void (await limiter.delete(keyOf(parts))),
    }
  }

  return {
    signInAccount: limit('sign-in-account', limits.rateLimitSignInAccount, 15 * minute),
    secondFactor: limit('second-factor', limits.rateLimitSignInAccount, 15 * minute),
    signInAddress: limit('sign-in-address', limits.rateLimitSignInAddress, 15 * minute),
    signUp: limit('sign-up', limits.rateLimitSignUp, 15 * minute),
    clientSecret: limit('client-secret', limits.rateLimitClientSecret, minute),
    userCode: limit('user-code', limits.rateLimitUserCode, 10 * minute),
    link: limit('link', limits.rateLimitLink, 10 * minute),
    pendingAuthorizations: {
      quota: limits.rateLimitAuthorization === 0 ? unlimitedQuota : limits.rateLimitAuthorization,
      networkHash: (network) => deriveSecret('network', Buffer.from(network)),
    },
  }
}

const unlimitedQuota = 2 ** 31 - 1
const doNothing = () => Promise.resolve()
const unlimited: AttemptLimit = { attempt: doNothing, refund: doNothing, clear: doNothing }
