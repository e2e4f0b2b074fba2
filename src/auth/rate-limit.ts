import type { RequestHandler } from 'express'
import { isUnavailable } from '../../prisma/availability.ts'
import type { Database } from '../../prisma/client.ts'
import { statement } from '../../prisma/statement.ts'
import type { Principal } from '../../schema/core/context.ts'
import { rateLimited } from '../../schema/core/errors.ts'
import { apiPaths } from '../http/cors.ts'

const windowSeconds = 60
const windowMilliseconds = windowSeconds * 1000
const exchangeMilliseconds = 1000
const retryMilliseconds = 1000

/**
 * The part of the quota that a process may serve before it tells the others. It bounds what n processes can serve beyond the
 * quota together: n times this part, 5 % for two processes.
 */
const unsharedPart = 1 / 40

interface Count {
  /** Requests of all processes in the window, as the database last answered. */
  shared: number
  /** Requests of this process that the database does not contain: not yet sent, and on the way. */
  unsent: number
  sending: number
  endsAt: number
}

interface SharedCount {
  id: string
  requests: number
  secondsLeft: number
}

// Times are the database's: the clocks of the processes may differ. Rows are written in one order, so that two processes
// never wait for each other.
const addRequests = statement<SharedCount, [ids: string[], requests: number[]]>(
  'add_requests',
  `INSERT INTO request_counts AS c (credential_id, requests, ends_at)
   SELECT id, requests, now() + interval '${windowSeconds} seconds' FROM unnest($1::text[], $2::int[]) AS added(id, requests) ORDER BY id
   ON CONFLICT (credential_id) DO UPDATE SET
     requests = CASE WHEN c.ends_at > now() THEN c.requests ELSE 0 END + excluded.requests,
     ends_at = CASE WHEN c.ends_at > now() THEN c.ends_at ELSE excluded.ends_at END
   RETURNING credential_id AS id, requests, extract(epoch FROM ends_at - now())::float8 AS "secondsLeft"`,
)

export interface RateLimitPorts {
  database: Database
  now(): Date
  report(error: unknown): void
  /** Requests per credential and minute. */
  quota: number
}

/**
 * The limit of API requests per credential and minute, for all processes together (docs/decisions/errors.md#request-limit).
 * Requests are counted in memory. Counts are added to the database, which answers with the sum of all processes, once a
 * second for all credentials together and whenever a credential has used up its unshared part.
 */
export function createRateLimit({ database, now, report, quota }: RateLimitPorts) {
  const limit = { policy: 'api', quota, windowSeconds }
  const maxUnshared = Math.max(1, Math.floor(quota * unsharedPart))
  const counts = new Map<string, Count>()
  let exchanging: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let unavailableUntil = 0

  const time = () => now().getTime()
  const unshared = ({ unsent, sending }: Count) => unsent + sending
  const isUsedUp = (count: Count) => count.shared + unshared(count) >= quota
  // The second condition is that of a clock that was set back.
  const isOver = ({ endsAt }: Count) => time() >= endsAt || endsAt > time() + 2 * windowMilliseconds

  function countOf(id: string): Count {
    const known = counts.get(id)
    if (known && !isOver(known)) return known
    const count = { unsent: 0, sending: 0, ...known, shared: 0, endsAt: time() + windowMilliseconds }
    if (known) return Object.assign(known, count)
    counts.set(id, count)
    return count
  }

  /** Adds the counts to the database. One exchange at a time; a failed one is repeated later and fails no request. */
  const exchange = () => (exchanging ??= addCounts().finally(() => (exchanging = null)))

  async function addCounts(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const sent = [...counts].filter(([, { unsent }]) => unsent > 0)
    if (sent.length === 0) return
    for (const [, count] of sent) [count.sending, count.unsent] = [count.unsent, 0]
    try {
      const ids = sent.map(([id]) => id)
      for (const { id, requests, secondsLeft } of await addRequests(
        database.pool,
        ids,
        sent.map(([, { sending }]) => sending),
      ))
        Object.assign(countOf(id), { shared: requests, sending: 0, endsAt: time() + Math.min(secondsLeft, windowSeconds) * 1000 })
    } catch (error) {
      for (const [, count] of sent) [count.sending, count.unsent] = [0, count.unsent + count.sending]
      unavailableUntil = time() + retryMilliseconds
      // Requests report an unavailable database already.
      if (!isUnavailable(error)) report(error)
    }
    for (const [id, count] of counts) if (isOver(count) && unshared(count) === 0) counts.delete(id)
  }

  const rateLimitOf = (remaining: number, seconds: number) => `"${limit.policy}";r=${remaining};t=${seconds}`
  const initial = {
    RateLimit: rateLimitOf(quota, windowSeconds),
    'RateLimit-Policy': `"${limit.policy}";q=${quota};w=${windowSeconds}`,
  }

  return {
    /** Adds the header fields that a response of the API has if no request is counted, for example without a credential. */
    announce: ((request, response, next) => {
      if (apiPaths.test(request.path)) Object.assign(response.locals.fields, initial)
      next()
    }) satisfies RequestHandler,

    /** Counts a request and returns the header fields of its response that differ from the announced. Throws `rate_limited` beyond the quota. */
    async count(principal: Principal): Promise<{ RateLimit?: string }> {
      if (!('credentialId' in principal)) return {}
      let count = countOf(principal.credentialId)
      while (unshared(count) >= maxUnshared && !isUsedUp(count) && time() >= unavailableUntil) {
        await exchange()
        count = countOf(principal.credentialId)
      }
      const secondsLeft = Math.ceil((count.endsAt - time()) / 1000)
      if (isUsedUp(count)) throw rateLimited(limit, secondsLeft)
      count.unsent++
      const fields = { RateLimit: rateLimitOf(quota - count.shared - unshared(count), secondsLeft) }
      if (unshared(count) * 2 >= maxUnshared && time() >= unavailableUntil) void exchange()
      else timer ??= setTimeout(() => void exchange(), exchangeMilliseconds).unref()
      return fields
    },

    /** Adds what is not in the database yet. */
    async close(): Promise<void> {
      await exchanging
      await exchange()
      clearTimeout(timer)
    },
  }
}
