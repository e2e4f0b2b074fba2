import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../prisma/connection/database.ts'
import { accountPolicies, digestAttemptKey } from '../../schema/core/attempts/attempt-key.ts'
import type { AccountAttemptLimits, AttemptLimit } from '../../schema/core/attempts/attempt-limit.ts'
import type { Ports } from '../../schema/core/ports.ts'
import { rateLimited } from '../../schema/core/errors.ts'
import { siteFactor, findSite } from './client-network.ts'

/** Number of attempts that each limit allows per window; 0 disables the limit. */
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
  /** Limit of wrong secrets of one client from one client address. */
  clientSecret: AttemptLimit
  /**
   * Limit of models from one client address without a user (src/oidc/storage/anonymous-models.ts). It counts stored rows, not attempts. The
   * hashes of the networks of one /48 have the same first half.
   */
  pendingAuthorizations: { quota: number; siteQuota: number; networkHash(network: string): Buffer }
  /** Limit of documents of clients by URL that are fetched for one client address and are not stored yet. */
  clientDocument: AttemptLimit
  /** Limit of user codes of the device flow, per session (`session`, identifier) and per client address (`address`, network). */
  userCode: AttemptLimit
}

export interface AttemptLimitsPorts {
  database: Database
  deriveSecret: Ports['deriveSecret']
  limits: AttemptLimitSettings
}

const minute = 60

/**
 * Creates the attempt limits. The database stores the counts, so that all processes share them. While the database is unavailable, attempts
 * fail, so that no attempt goes uncounted. See docs/decisions/accounts.md#attempt-limits.
 */
export function createAttemptLimits({ database, deriveSecret, limits }: AttemptLimitsPorts): AttemptLimits {
  const getKey = (parts: string[]) => digestAttemptKey({ deriveSecret }, parts)

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
          await limiter.consume(getKey(parts))
        } catch (refusal) {
          if (refusal instanceof RateLimiterRes) throw rateLimited({ policy, quota, windowSeconds }, refusal.msBeforeNext / 1000)
          throw refusal
        }
      },
      refund: async (...parts) => void (await limiter.reward(getKey(parts))),
      clear: async (...parts) => void (await limiter.delete(getKey(parts))),
    }
  }

  /** Creates a limit that also counts the /48 of an IPv6 network among the parts, with a separate quota. */
  function networkLimit(policy: string, quota: number, windowSeconds: number): AttemptLimit {
    const ofNetwork = limit(policy, quota, windowSeconds)
    const ofSite = limit(`${policy}-site`, quota * siteFactor, windowSeconds)
    const siteParts = (parts: string[]) => (parts.some((part) => findSite(part)) ? parts.map((part) => findSite(part) ?? part) : null)
    return {
      async attempt(...parts) {
        // The network comes first, so that an attempt that its own limit refuses does not use up the attempts of its neighbours.
        await ofNetwork.attempt(...parts)
        const site = siteParts(parts)
        if (!site) return
        try {
          await ofSite.attempt(...site)
        } catch (error) {
          // A refused attempt is counted, too. Without a refund, successful attempts would not make room again.
          await Promise.all([ofNetwork.refund(...parts), ofSite.refund(...site)])
          throw error
        }
      },
      async refund(...parts) {
        const site = siteParts(parts)
        await Promise.all([ofNetwork.refund(...parts), site && ofSite.refund(...site)])
      },
      clear: ofNetwork.clear,
    }
  }

  return {
    signInAccount: limit(accountPolicies.signInAccount, limits.rateLimitSignInAccount, 15 * minute),
    signInCode: limit('sign-in-code', 5, 10 * minute),
    secondFactor: limit(accountPolicies.secondFactor, limits.rateLimitSignInAccount, 15 * minute),
    signInAddress: networkLimit('sign-in-address', limits.rateLimitSignInAddress, 15 * minute),
    signUp: networkLimit('sign-up', limits.rateLimitSignUp, 15 * minute),
    clientSecret: networkLimit('client-secret', limits.rateLimitClientSecret, minute),
    clientDocument: networkLimit('client-document', limits.rateLimitAuthorization, 60 * minute),
    userCode: networkLimit('user-code', limits.rateLimitUserCode, 10 * minute),
    link: networkLimit('link', limits.rateLimitLink, 10 * minute),
    pendingAuthorizations: {
      quota: limits.rateLimitAuthorization === 0 ? unlimitedQuota : limits.rateLimitAuthorization,
      siteQuota: limits.rateLimitAuthorization === 0 ? unlimitedQuota : limits.rateLimitAuthorization * siteFactor,
      networkHash: (network) =>
        Buffer.concat([findSite(network) ?? network, network].map((part) => deriveSecret('network', Buffer.from(part)).subarray(0, 16))),
    },
  }
}

const unlimitedQuota = 2 ** 31 - 1
const doNothing = () => Promise.resolve()
const unlimited: AttemptLimit = { attempt: doNothing, refund: doNothing, clear: doNothing }
