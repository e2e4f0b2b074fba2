import type { OutgoingHttpHeaders } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import { authenticateRequest, isBearer } from '../../rest-facade/http/bearer.ts'
import type { Authenticate } from '../../rest-facade/http/bearer.ts'
import { readPrecondition } from '../../rest-facade/http/conditional.ts'
import { HttpError } from '../../rest-facade/http/http-error.ts'
import { readJson } from '../../rest-facade/http/json-body.ts'
import { domainProblem, httpProblem } from '../../rest-facade/http/problem.ts'
import { sendJson } from '../../rest-facade/http/send.ts'
import type { Context } from '../../schema/core/context.ts'
import { asRefusal, DomainError, forbidden, isFault } from '../../schema/core/errors.ts'
import type { Principal } from '../../schema/core/principals.ts'
import { accessibleTeams } from '../../schema/core/team-access/team-access.ts'
import { buildDirectoryUrl, recordDirectoryError } from '../../schema/directory/last-error.ts'
import type { DirectoryError } from '../../schema/directory/last-error.ts'
import { ScimError } from '../../schema/scim/protocol/error.ts'
import type { Directory } from '../../schema/scim/users/write-user.ts'
import { routeTemplate } from '../http/logging/request-fields.ts'

/** Ports that higher layers provide to the endpoints. */
export interface ScimPorts {
  authenticate: Authenticate
  /** Counts the request towards the limit of its credential; throws `rate_limited`. */
  countRequest(principal: Principal): OutgoingHttpHeaders | Promise<OutgoingHttpHeaders>
  createContext(principal: Principal, requestId: string): Context
  /** Public origin. */
  publicUrl: string
  report(error: unknown, requestId: string): void
}

/** A request of a directory. */
export interface ScimRequest {
  context: Context
  directory: Directory
  /** The identifier in the path; empty without one. */
  id: string
  query: URLSearchParams
  request: Request
  /** The JSON body. */
  body(): Promise<unknown>
}

/** The response of an endpoint; without a body 204 or 304. */
export interface ScimResponse {
  status: number
  body?: object
  headers?: OutgoingHttpHeaders
}

const scope = 'acct:team:scim'
/** Maximum size of a body. A directory sends a group with all its members in one request. */
const maxBodyBytes = 2 * 1024 * 1024

/** Returns a handler that authenticates the directory of a team, and sends the response of `operation`. */
export function serveScim(ports: ScimPorts, operation: (request: ScimRequest) => Promise<ScimResponse>): RequestHandler {
  return async (request, response) => {
    const { requestId, fields } = response.locals
    fields['X-Accepted-Scopes'] = scope
    let store: StoreError | null = null
    try {
      const principal = await authenticateRequest(request, ports.authenticate, 'api', null)
      Object.assign(fields, await ports.countRequest(principal))
      const context = { ...ports.createContext(principal, requestId), precondition: readPrecondition(request) }
      const directory = { teamId: await loadTeamId(context, principal), base: buildDirectoryUrl(context) }
      store = (refusal) => recordDirectoryError(context, directory.teamId, refusal)
      const query = new URL(request.originalUrl, ports.publicUrl).searchParams
      const id = typeof request.params['id'] === 'string' ? request.params['id'] : ''
      const body = () => readJson(request, response, maxBodyBytes)
      const result = await operation({ context, directory, id, query, request, body })
      Object.assign(fields, result.headers)
      send(response, result.status, result.body)
    } catch (error) {
      await sendError(response, error, request, ports, store)
    }
  }
}

/** Returns the team of a team token with the scope. Refuses all others, even a person or client with the rights of an owner. */
async function loadTeamId(context: Context, principal: Principal): Promise<string> {
  if (principal.kind !== 'team' || principal.authenticationMethod !== 'team_token' || !principal.scopes.has(scope))
    throw forbidden('insufficient_scope', { scopes: [scope] })
  const [access] = await accessibleTeams(context, principal)
  if (!access) throw forbidden('team_forbidden')
  return access.team.id
}

const send = (response: Response, status: number, body: object | undefined) =>
  sendJson(response, status, body, 'application/scim+json; charset=utf-8')

/** Sends an error (RFC 7644 §3.12). */
export function sendScimError(response: Response, status: number, scimType: string | null, detail: string): void {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  send(response, status, { schemas, status: String(status), ...(scimType !== null && { scimType }), detail })
}

/** Sends an error. That of an authenticated directory is stored first, for the owners of its team. */
async function sendError(
  response: Response,
  error: unknown,
  request: Request,
  { publicUrl, report }: ScimPorts,
  store: StoreError | null,
): Promise<void> {
  const { requestId, fields } = response.locals
  const cause = asRefusal(error)
  const isRefusal = cause instanceof ScimError || cause instanceof HttpError || (cause instanceof DomainError && !isFault(cause))
  if (!isRefusal) report(error, requestId)
  const credentialSent = isBearer(request.headers.authorization)
  const { headers, ...refusal } = describeRefusal(cause, { requestId, publicUrl, credentialSent })
  Object.assign(fields, headers)
  // The error is not stored for a 503, because the database is unavailable then.
  if (refusal.status !== 503)
    await store?.({ method: request.method, path: routeTemplate(request) ?? '', ...refusal }).catch((failure: unknown) =>
      report(failure, requestId),
    )
  sendScimError(response, refusal.status, refusal.scimType, refusal.detail)
}

type StoreError = (error: DirectoryError) => Promise<void>

/** An error as RFC 7644 §3.12 describes it. */
interface Refusal {
  status: number
  scimType: string | null
  detail: string
  headers?: OutgoingHttpHeaders
}

interface RefusedRequest {
  requestId: string
  /** Public origin. */
  publicUrl: string
  /** True if the request had a bearer token. */
  credentialSent: boolean
}

/** Describes a refused request. For an unknown error, the response has no details. */
function describeRefusal(cause: unknown, { requestId, publicUrl, credentialSent }: RefusedRequest): Refusal {
  if (cause instanceof ScimError) return { status: cause.status, scimType: cause.scimType, detail: cause.message }
  if (cause instanceof HttpError) {
    const { body } = httpProblem(cause.status, requestId, cause.message || undefined)
    return { status: cause.status, scimType: cause.status === 400 ? 'invalidSyntax' : null, detail: String(body['message']) }
  }
  if (!(cause instanceof DomainError)) return { status: 500, scimType: null, detail: 'Server Error' }
  const { status, headers } = domainProblem(cause, requestId, { publicUrl, resource: 'api', credentialSent })
  const refusal = { headers, detail: cause.message }
  if (cause.code === 'last_owner') return { ...refusal, status: 409, scimType: 'mutability' }
  if (cause.code === 'already_member') return { ...refusal, status: 409, scimType: 'uniqueness' }
  if (status === 422) return { ...refusal, status: 400, scimType: 'invalidValue' }
  return { ...refusal, status, scimType: null }
}
