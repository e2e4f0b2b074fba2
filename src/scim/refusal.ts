import type { OutgoingHttpHeaders } from 'node:http'
import { HttpError } from '../../rest-facade/http/http-error.ts'
import { domainProblem, httpProblem } from '../../rest-facade/http/problem.ts'
import { DomainError } from '../../schema/core/errors.ts'
import { ScimError } from '../../schema/scim/protocol/error.ts'

/** An error as RFC 7644 §3.12 describes it. */
export interface Refusal {
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
export function describeRefusal(cause: unknown, { requestId, publicUrl, credentialSent }: RefusedRequest): Refusal {
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
