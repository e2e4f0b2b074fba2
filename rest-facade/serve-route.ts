import type { OutgoingHttpHeaders } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import type { Context } from '../schema/core/context.ts'
import type { Principal } from '../schema/core/principals.ts'
import { cancellableContext, isCancelled } from '../schema/core/cancellation/cancellable-context.ts'
import { DomainError, asRefusal, isFault } from '../schema/core/errors.ts'
import { RepeatedRequest } from '../schema/core/database/idempotency.ts'
import { parse } from '../schema/core/validation.ts'
import { authorizeOperation, run } from '../schema/execute.ts'
import { authenticateRequest, isBearer } from './http/bearer.ts'
import type { Authenticate } from './http/bearer.ts'
import { formatETag, isNotModified, readPrecondition } from './http/conditional.ts'
import { HttpError } from './http/http-error.ts'
import { readIdempotencyKey } from './http/idempotency-key.ts'
import { readJson } from './http/json-body.ts'
import { domainProblem, httpProblem } from './http/problem.ts'
import type { Problem } from './http/problem.ts'
import { sendJson, sendNotModified, sendProblem } from './http/send.ts'
import { responseContent } from './response-body.ts'
import type { Route } from './route.ts'
import { acceptedScopes, listStatuses, getSuccessStatus } from './status-codes.ts'
import { parseGlobalId } from '../schema/core/global-id.ts'

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
  const buildContent = responseContent(route, ports.publicUrl)

  return async (request, response) => {
    const { requestId, fields } = response.locals
    const { teamSlug } = request.params
    let principal: Principal | null = null
    try {
      principal = await authenticateRequest(request, ports.authenticate, 'api', typeof teamSlug === 'string' ? teamSlug : null)
      Object.assign(fields, await ports.countRequest(principal))
      const uncancelled = ports.createContext(principal, requestId)
      const context = route.method === 'get' ? cancellableContext(uncancelled, response) : uncancelled
      const { parameters, query, values } = await readInput(route, request, response, context)
      const variables = route.toVariables(values)
      const conditions = buildConditions(route, request, context, { parameters, variables })
      const data = await run(route.operation, variables, conditions ? { ...context, ...conditions } : context)
      addScopes(fields, accepted, principal)
      const { body, version } = buildContent(data, parameters, query)
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
      const problem = findProblem(error, request, requestId, ports)
      if (ports.strict && !declared.has(problem.status))
        throw new Error(`${route.operationId} does not declare ${problem.status}`, { cause: error })
      addScopes(fields, accepted, principal)
      sendProblem(response, problem)
    }
  }
}

/** Reads the request in the order of docs/decisions/errors.md#order-of-refusal: team, scope and role before body and parameters. */
async function readInput(route: Route, request: Request, response: Response, context: Context) {
  const parameters = Object.fromEntries(route.pathParameters.map((name) => [name, getIdentifier(String(request.params[name]))]))
  await authorizeOperation(route.operation, context, parameters.teamSlug ?? null)
  const body = route.body ? parse(route.body, await readJson(request, response)) : {}
  const query = route.readQuery(queryString(request.originalUrl))
  const values = { ...parameters, ...(route.query ? parse(route.query, query) : {}), ...body }
  return { parameters, query, values }
}

/** Checks a path parameter. Routes accept only the identifiers of REST: the global id of an object identifies nothing. */
const getIdentifier = (parameter: string) => (parseGlobalId(parameter) ? '' : parameter)

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

function findProblem(error: unknown, request: Request, requestId: string, { publicUrl, report }: FacadePorts): Problem {
  const cause = asRefusal(error)
  if (cause instanceof HttpError) return httpProblem(cause.status, requestId, cause.message || undefined)
  if (cause instanceof DomainError) {
    if (isFault(cause)) report(error, requestId)
    return domainProblem(cause, requestId, {
      publicUrl,
      resource: 'api',
      credentialSent: isBearer(request.headers.authorization),
    })
  }
  report(error, requestId)
  return httpProblem(500, requestId)
}

/** Adds `X-Accepted-Scopes` and `X-Granted-Scopes` if there is a scope (docs/decisions/errors.md#header-fields). */
function addScopes(fields: OutgoingHttpHeaders, accepted: string, principal: Principal | null): void {
  if (accepted !== '') fields['X-Accepted-Scopes'] = accepted
  if (principal && principal.kind !== 'operator' && principal.scopes.size > 0) fields['X-Granted-Scopes'] = [...principal.scopes].join(', ')
}
