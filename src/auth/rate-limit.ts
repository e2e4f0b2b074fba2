import type { RequestHandler } from 'express'
import type { Principal } from '../../schema/core/principals.ts'
import { rateLimited } from '../../schema/core/errors.ts'
import { apiPaths } from '../http/cors.ts'
import { windowSeconds } from './request-count-exchange.ts'
import { createRequestCounts } from './request-counts.ts'
import type { RequestCountPorts } from './request-counts.ts'

/** Paths of requests by directories. Web pages do not send them, so they have no CORS. */
const scimPaths = /^\/scim\/v2(?:\/|$)/

/** The limit of API requests per credential and minute, for all processes together (docs/decisions/errors.md#request-limit). */
export function createRateLimit(ports: RequestCountPorts) {
  const { quota } = ports
  const limit = { policy: 'api', quota, windowSeconds }
  const counts = createRequestCounts(ports)
  const getRateLimit = (remaining: number, seconds: number) => `"${limit.policy}";r=${remaining};t=${seconds}`
  const initial = {
    RateLimit: getRateLimit(quota, windowSeconds),
    'RateLimit-Policy': `"${limit.policy}";q=${quota};w=${windowSeconds}`,
  }

  async function countFor(credentialId: string, operations: number, counted: number): Promise<{ RateLimit: string }> {
    const { isServed, remaining, secondsLeft } = await counts.take(credentialId, operations - counted, counted)
    if (!isServed) throw rateLimited({ ...limit, remaining }, secondsLeft)
    return { RateLimit: getRateLimit(remaining, secondsLeft) }
  }

  return {
    /** Adds the header fields of the response of the API for a request that is not counted, for example without a credential. */
    announce: ((request, response, next) => {
      if (apiPaths.test(request.path) || scimPaths.test(request.path)) Object.assign(response.locals.fields, initial)
      next()
    }) satisfies RequestHandler,

    /**
     * Counts a request, or the operations of a batch, and returns those header fields of its response that differ from `announce`. Throws
     * `rate_limited` beyond the quota; then none counts, including those counted earlier for the same request (`counted`).
     */
    async count(principal: Principal, operations = 1, counted = 0): Promise<{ RateLimit?: string }> {
      return 'credentialId' in principal ? countFor(principal.credentialId, operations, counted) : {}
    },

    /** Counts the token request of a machine like a request with its token. Throws `rate_limited` beyond the quota. */
    async countTokenRequest(machineId: string): Promise<void> {
      await countFor(machineId, 1, 0)
    },

    close: counts.close,
  }
}
