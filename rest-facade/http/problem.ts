import type { OutgoingHttpHeaders } from 'node:http'
import type { DomainError, ErrorCode } from '../../schema/core/errors.ts'
import { resourceMetadataUrl } from './protected-resources.ts'
import type { ResourceName } from './protected-resources.ts'

/** The status code of each error of the catalogue (docs/decisions/errors.md#error-bodies). */
export const statusByCode: Record<ErrorCode, number> = {
  unauthenticated: 401,
  insufficient_scope: 403,
  team_forbidden: 403,
  two_factor_required: 403,
  sign_in_required: 403,
  role_required: 403,
  session_required: 403,
  recent_sign_in_required: 403,
  own_proof_required: 403,
  operator_only: 403,
  not_found: 404,
  validation_failed: 422,
  last_owner: 422,
  already_member: 422,
  precondition_failed: 412,
  cursor_expired: 410,
  rate_limited: 429,
  unavailable: 503,
  outcome_unknown: 503,
}

/** Errors of HTTP itself, which no operation throws. */
const httpProblems = {
  400: { code: 'bad_request', message: 'The request body is not valid JSON.' },
  404: { code: 'not_found', message: 'Not Found.' },
  405: { code: 'method_not_allowed', message: 'Method Not Allowed.' },
  406: { code: 'not_acceptable', message: 'Not Acceptable.' },
  413: { code: 'content_too_large', message: 'Content Too Large.' },
  415: { code: 'unsupported_media_type', message: 'Unsupported Media Type.' },
  421: { code: 'misdirected_request', message: 'Misdirected Request.' },
  500: { code: 'server_error', message: 'Server Error' },
  503: { code: 'server_error', message: 'Server Error' },
} as const
export type HttpProblemStatus = keyof typeof httpProblems

export const isHttpProblem = (status: number): status is HttpProblemStatus => Object.hasOwn(httpProblems, status)

export interface Problem {
  status: number
  headers: OutgoingHttpHeaders
  body: Record<string, unknown>
}

export function httpProblem(status: HttpProblemStatus, requestId: string, message?: string): Problem {
  const { code, message: defaultMessage } = httpProblems[status]
  return { status, headers: {}, body: { message: message ?? defaultMessage, code, request_id: requestId } }
}

/** What the challenges of responses contain. */
export interface Challenge {
  /** The public origin, which is the realm. */
  publicUrl: string
  /** The API to which the request was sent. */
  resource: ResourceName
  /** The scopes that a client without a credential should request; absent if they depend on the request. */
  scopes?: readonly string[]
  /** True if the request contained a credential (RFC 6750 §3). */
  credentialSent: boolean
}

/** Builds the response to a domain error: Laravel's members, then `code` and `request_id`. */
export function domainProblem(
  { code, restCode, message, details }: DomainError,
  requestId: string,
  { publicUrl, resource, scopes, credentialSent }: Challenge,
): Problem {
  const headers: OutgoingHttpHeaders = {}
  const metadata = `resource_metadata="${resourceMetadataUrl(publicUrl, resource)}"`
  if (code === 'unauthenticated') {
    const scope = scopes ? `, scope="${scopes.join(' ')}"` : ''
    const description = details.errorDescription === undefined ? '' : `, error_description="${details.errorDescription}"`
    const bearer = `Bearer realm="${publicUrl}"${credentialSent ? ', error="invalid_token"' : ''}`
    headers['WWW-Authenticate'] =
      details.challenge === undefined
        ? `${bearer}${description}${scope}, ${metadata}`
        : [`${details.challenge}${description}, ${metadata}`, `${bearer}${scope}, ${metadata}`]
  }
  if (code === 'insufficient_scope')
    headers['WWW-Authenticate'] = `Bearer error="insufficient_scope", scope="${(details.scopes ?? []).join(' ')}", ${metadata}`
  if (details.retryAfterSeconds !== undefined) headers['Retry-After'] = String(details.retryAfterSeconds)
  if (details.limit) {
    const { policy, quota, windowSeconds, remaining = 0 } = details.limit
    headers['RateLimit'] = `"${policy}";r=${remaining};t=${details.retryAfterSeconds ?? windowSeconds}`
    headers['RateLimit-Policy'] = `"${policy}";q=${quota};w=${windowSeconds}`
  }
  const body = { message, ...(details.errors && { errors: details.errors }), code: restCode, request_id: requestId }
  return { status: statusByCode[code], headers, body }
}
