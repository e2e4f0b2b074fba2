import type { OutgoingHttpHeaders } from 'node:http'
import type { Request, RequestHandler } from 'express'
import type { Context } from '../schema/core/context.ts'
import type { Principal } from '../schema/core/principals.ts'
import { isCancelled } from '../schema/core/cancellation/cancellable-context.ts'
import { RepeatedRequest } from '../schema/core/database/idempotency.ts'
import { authenticateRequest } from './http/bearer.ts'
import type { Authenticate } from './http/bearer.ts'
import { formatETag, isNotModified, readPrecondition } from './http/conditional.ts'
import { deprecationHeaders } from './http/deprecation.ts'
import { readIdempotencyKey } from './http/idempotency-key.ts'
import { readJson } from './http/json-body.ts'
import { findProblem } from './http/find-problem.ts'
import { sendJson, sendNotModified, sendProblem } from './http/send.ts'
import { createRouteExecution } from './execute-route.ts'
import type { Route } from './route.ts'
import { acceptedScopes, listStatuses, getSuccessStatus } from './status-codes.ts'

/** Ports that higher layers provide to the façade. */
export interface FacadePorts {
  /** Returns the principal of a credential, or null if it is invalid; may throw `unauthenticated` with its own challenge. */
  authenticate: Authenticate
  /** Counts the request towards the limit of its credential and returns header fields of the response; throws `rate_limited`. */
  countRequest(principal: Principal, operations?: number, counted?: number): OutgoingHttpHeaders | Promise<OutgoingHttpHeaders>
  createContext(principal: Principal, requestId: string): Context
  /** Public origin of the URLs in responses, and the realm of challenges. */
  publicUrl: string
  /** Logs an unexpected error with the request's identifier. */
  report(error: unknown, requestId: string): void
  /** True to throw if a route responds with a status code that it does not declare. Tests set it to keep the documentation complete. */
  strict: boolean
}

/** Returns a handler that authenticates, authorizes, validates, executes the route's operation and sends its response. */
export function serveRoute(route: Route, ports: FacadePorts): RequestHandler {
  const success = getSuccessStatus(route)
  const declared = new Set(listStatuses(route))
  const accepted = acceptedScopes(route).join(', ')
  const execute = createRouteExecution(route, ports.publicUrl)

  return async (request, response) => {
    const { requestId, fields } = response.locals
    const { teamSlug } = request.params
    let principal: Principal | null = null
    if (route.deprecated) Object.assign(fields, deprecationHeaders(route.deprecated, ports.publicUrl, request.params))
    try {
      principal = await authenticateRequest(request, ports.authenticate, 'api', typeof teamSlug === 'string' ? teamSlug : null)
      Object.assign(fields, await ports.countRequest(principal))
      const context = ports.createContext(principal, requestId)
      const { body, version } = await execute(context, response, {
        parameters: request.params,
        query: route.readQuery(queryString(request.originalUrl)),
        readBody: () => readJson(request, response),
        buildConditions: (input) => buildConditions(route, request, context, input),
      })
      addScopes(fields, accepted, principal)
      if (version === undefined) return sendJson(response, success, body)
      const etag = formatETag(version)
      fields.ETag = etag
      if (route.method === 'get' && isNotModified(request, etag)) sendNotModified(response)
      else sendJson(response, success, body)
    } catch (error) {
      if (error instanceof RepeatedRequest) {
        addScopes(fields, accepted, principal)
        fields['Idempotency-Replayed'] = 'true'
        return sendJson(response, success, undefined)
      }
      if (isCancelled(error)) return
      const problem = findProblem(error, request, requestId, { ...ports, resource: 'api' })
      if (ports.strict && !declared.has(problem.status))
        throw new Error(`${route.operationId} does not declare ${problem.status}`, { cause: error })
      addScopes(fields, accepted, principal)
      sendProblem(response, problem)
    }
  }
}

/** Returns the client's conditions for a change, if there are any. */
function buildConditions(
  { method, operationId }: Route,
  request: Request,
  context: Context,
  input: { parameters: object; variables: object },
): Pick<Context, 'precondition' | 'idempotency'> | undefined {
  if (method === 'get') return undefined
  if (method === 'patch') return { precondition: readPrecondition(request) }
  return { idempotency: readIdempotencyKey(request, context, { operationId, ...input }) }
}

const queryString = (url: string) => {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

/** Adds `X-Accepted-Scopes` and `X-Granted-Scopes` if there is a scope (docs/decisions/errors.md#header-fields). */
function addScopes(fields: OutgoingHttpHeaders, accepted: string, principal: Principal | null): void {
  if (accepted !== '') fields['X-Accepted-Scopes'] = accepted
  if (principal && principal.kind !== 'operator' && principal.scopes.size > 0) fields['X-Granted-Scopes'] = [...principal.scopes].join(', ')
}
