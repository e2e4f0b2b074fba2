import { isIPv6 } from 'node:net'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../prisma/client.ts'
import type { Ports } from '../schema/context.ts'
import { rateLimited } from '../schema/errors.ts'

/** How many guesses each limit allows; 0 is no limit. The service's configuration has them. */
export interface GuessSettings {
  rateLimitSignInAccount: number
  rateLimitSignInAddress: number
  rateLimitSignUp: number
  rateLimitClientSecret: number
  rateLimitUserCode: number
  rateLimitLink: number
}

/** A limit of guesses (decisions §8). `parts` say what it counts by, e.g. a client and an address. */
export interface GuessLimit {
  /**
   * Counts a guess before it is judged, so that many at once cannot slip by. Beyond the limit throws `rate_limited` with
   * the seconds until the window ends, which further guesses do not put off.
   */
  attempt(...parts: string[]): Promise<void>
  /** Gives back a guess that was right. */
  forgive(...parts: string[]): Promise<void>
  /** Starts again from none. */
  clear(...parts: string[]): Promise<void>
}

const minute = 60

export interface GuessesPorts {
  database: Database
  deriveSecret: Ports['deriveSecret']
  limits: GuessSettings
}

export type Guesses = ReturnType<typeof createGuesses>

/**
 * The limits of guessing, counted in the database, all processes together. Its keys are digests under SECRET_KEY: a dump
 * tells neither who was attacked nor from where. Where the database is away the fault goes up: nobody guesses uncounted.
 */
export function createGuesses({ database, deriveSecret, limits }: GuessesPorts) {
  const keyOf = (parts: string[]) => deriveSecret('guess', Buffer.from(JSON.stringify(parts))).toString('base64url')

  function limit(policy: string, quota: number, windowSeconds: number): GuessLimit {
    if (quota === 0) return unlimited
    const limiter = new RateLimiterPostgres({
      storeClient: database.pool,
      tableName: 'guess_counts',
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
      forgive: async (...parts) => void (await limiter.reward(keyOf(parts))),
      clear: async (...parts) => void (await limiter.delete(keyOf(parts))),
    }
  }

  return {
    /** Passwords for one account. */
    signInAccount: limit('sign-in-account', limits.rateLimitSignInAccount, 15 * minute),
    /** Second factors of one account, after the right password. */
    secondFactor: limit('second-factor', limits.rateLimitSignInAccount, 15 * minute),
    /** Passwords and second factors from one address. */
    signInAddress: limit('sign-in-address', limits.rateLimitSignInAddress, 15 * minute),
    /** Sign-ups and forgotten passwords from one address: what anybody may ask for. None is ever given back. */
    signUp: limit('sign-up', limits.rateLimitSignUp, 15 * minute),
    /** Secrets of one client from one address. */
    clientSecret: limit('client-secret', limits.rateLimitClientSecret, minute),
    /** User codes in one session, and from one address. */
    userCode: limit('user-code', limits.rateLimitUserCode, 10 * minute),
    /** Links of invitations and mails from one address. */
    link: limit('link', limits.rateLimitLink, 10 * minute),
  }
}

const nothing = () => Promise.resolve()
const unlimited: GuessLimit = { attempt: nothing, forgive: nothing, clear: nothing }

/**
 * Whom an address stands for: of IPv6 the network, since one household has 2^64 addresses; one mapped from IPv4 is that.
 * Some proxies forward an address with its port, which is another for every connection.
 */
export function guesserOf(address = ''): string {
  const [plain = ''] = address.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2').split('%')
  if (!isIPv6(plain)) return plain
  // As RFC 5952 writes it, what was dotted too.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:(\w+):(\w+)$/.exec(canonical)
  if (mapped) return mapped.slice(1).flatMap(bytesOf).join('.')
  const [head = '', tail] = canonical.split('::')
  const [first, last] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0)
  return [...(first ?? []), ...Array<string>(zeros).fill('0'), ...(last ?? [])].slice(0, 4).join(':')
}

const bytesOf = (group: string) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]
