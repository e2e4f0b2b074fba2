import type { Header, JsonSchema, Reference } from './components.ts'
import type { Problem } from '../http/problem.ts'
import type { Route } from '../route.ts'
import { acceptedScopes, isVersioned } from '../status-codes.ts'
import { deprecationHeaders } from '../http/deprecation.ts'
import type { Deprecation } from '../http/deprecation.ts'
import { pathSamples, requestIdSample } from './examples.ts'

/** The form of a request's identifier. A client may choose its own. */
export const requestIdSchema: JsonSchema = { type: 'string', pattern: '^[\\w.~:+/=@-]{1,128}$' }

const rateLimitField = {
  description: 'The remaining requests of the credential (`r`) and the seconds until they are renewed (`t`).',
  schema: { type: 'string' },
} as const
const rateLimitPolicyField = {
  description: 'The requests per credential (`q`) and window in seconds (`w`).',
  schema: { type: 'string' },
} as const

const descriptions: Record<string, { description: string; schema: JsonSchema }> = {
  'WWW-Authenticate': {
    description:
      'The challenge (RFC 6750 §3). `resource_metadata` is the URL of a document that names the authorization server (RFC 9728 §5.1). For a missing scope it names the sufficient ones; for a token bound to a key a `DPoP` challenge is added (RFC 9449 §7.1).',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which the client may retry.', schema: { type: 'integer', minimum: 1 } },
  RateLimit: rateLimitField,
  'RateLimit-Policy': rateLimitPolicyField,
  Deprecation: {
    description: 'When the operation became deprecated, in seconds since 1970-01-01 UTC after `@` (RFC 9745).',
    schema: { type: 'string' },
  },
  Sunset: { description: 'The time from which the operation may be missing (RFC 8594).', schema: { type: 'string' } },
  Link: {
    description: 'The documentation (`deprecation`) and, if there is one, the operation to use instead (`successor-version`).',
    schema: { type: 'string' },
  },
}

function describeHeader(name: string): { description: string; schema: JsonSchema } {
  const described = descriptions[name]
  if (!described) throw new Error(`OpenAPI does not describe the header field ${name}`)
  return described
}

/** Header fields that every response can have, defined once in the components. */
export const exchangeHeaders: Record<string, Header> = {
  'X-Request-Id': {
    description:
      'Identifier of the request: the `X-Request-Id` of the request where it is a safe token, otherwise a new UUID. Quote it when you contact the operator.',
    required: true,
    schema: requestIdSchema,
    example: requestIdSample,
  },
  'X-Accepted-Scopes': {
    description: 'Scopes of which the operation requires any one, separated by commas. Absent if it requires none.',
    required: false,
    schema: { type: 'string' },
    example: 'teams, acct:team:read',
  },
  'X-Granted-Scopes': {
    description: 'Scopes of the credential, separated by commas. Absent without a valid credential, or if it has none.',
    required: false,
    schema: { type: 'string' },
    example: 'teams, acct:team:members:read',
  },
  // The field is absent if the operator has turned the limit off.
  RateLimit: { ...rateLimitField, required: false, example: '"api";r=1199;t=60' },
  'RateLimit-Policy': { ...rateLimitPolicyField, required: false, example: '"api";q=1200;w=60' },
}

/** Header fields of some successful responses, also defined once. */
export const successHeaders: Record<string, Header> = {
  ETag: {
    description:
      'The version of the resource. Send it in `If-None-Match` to get 304 while it is current, or in `If-Match` to change only this version.',
    required: true,
    schema: { type: 'string' },
    example: 'W/"2026-01-31T09:30:00.000Z"',
  },
  'Idempotency-Replayed': {
    description: 'Present if the request was answered before under the same `Idempotency-Key`. Nothing was changed again.',
    required: false,
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
}

const referenceTo = (name: string): Reference => ({ $ref: `#/components/headers/${name}` })

/** References to these header fields. */
export const exchangeHeaderReferences: Record<string, Reference> = Object.fromEntries(
  Object.keys(exchangeHeaders).map((name) => [name, referenceTo(name)]),
)

/** Returns the header fields of a route's successful response, most of them as references. */
export function buildSuccessHeaders(route: Route): Record<string, Header | Reference> {
  const { 'X-Accepted-Scopes': accepted, ...references } = exchangeHeaderReferences
  return {
    ...references,
    ...(accepted && acceptedScopes(route).length > 0 && { 'X-Accepted-Scopes': accepted }),
    ...(isVersioned(route) && route.response.kind !== 'empty' && { ETag: referenceTo('ETag') }),
    ...(route.deprecated && buildDeprecationHeaders(route.deprecated)),
    ...(route.method === 'post' && { 'Idempotency-Replayed': referenceTo('Idempotency-Replayed') }),
  }
}

/** The header fields of a deprecated route. Its error responses have them, too, but share their definitions with other routes. */
function buildDeprecationHeaders(deprecation: Deprecation): Record<string, Header> {
  const values = Object.entries(deprecationHeaders(deprecation, 'https://accounts.example', pathSamples))
  return Object.fromEntries(values.map(([name, value]) => [name, { ...describeHeader(name), required: true, example: String(value) }]))
}

/** A header field of error responses, with the first value as its example. It is required if every problem has it. */
export function buildHeader(name: string, problems: readonly Problem[]): Header {
  const described = describeHeader(name)
  const values = problems.flatMap(({ headers }) => headers[name] ?? [])
  const value = String(values[0])
  return { ...described, required: values.length === problems.length, example: described.schema.type === 'integer' ? Number(value) : value }
}
