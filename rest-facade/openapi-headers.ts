import type { JsonSchema, Reference } from './openapi-components.ts'
import type { Problem } from './problem.ts'
import { requestIdSample } from './samples.ts'

export interface Header {
  description: string
  /** Whether every such response carries it. */
  required: boolean
  schema: JsonSchema
  example: string | number
}

/** Header fields of every response, told once among the components. */
export const exchangeHeaders: Record<string, Header> = {
  'X-Request-Id': {
    description: 'Identifier of this exchange, for questions to the operator.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
    example: requestIdSample,
  },
  'X-Accepted-Scopes': {
    description: 'Scopes any one of which the operation asks for, separated by commas; empty for none.',
    required: true,
    schema: { type: 'string' },
    example: 'teams, acct:team:read',
  },
  'X-Granted-Scopes': {
    description: 'Scopes the credential carries, separated by commas; empty without one.',
    required: true,
    schema: { type: 'string' },
    example: 'teams, acct:team:members:read',
  },
}

/** Those header fields, as each response refers to them. */
export const exchangeHeaderReferences: Record<string, Reference> = Object.fromEntries(
  Object.keys(exchangeHeaders).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

const words: Record<string, { description: string; schema: JsonSchema }> = {
  'WWW-Authenticate': {
    description:
      'The challenge (RFC 6750 §3); for a missing scope it names those that are enough, for a token bound to a key it has one of `DPoP` beside it (RFC 9449 §7.1).',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds after which asking again makes sense.', schema: { type: 'integer', minimum: 1 } },
  RateLimit: { description: 'What is left of the quota, and in how many seconds it is renewed.', schema: { type: 'string' } },
  'RateLimit-Policy': { description: 'The quota and its window in seconds.', schema: { type: 'string' } },
}

/** A header field of a refusal, with the value its first problem carries; required where all of them carry it. */
export function headerOf(name: string, problems: readonly Problem[]): Header {
  const told = words[name]
  if (!told) throw new Error(`OpenAPI has no words on ${name}`)
  const values = problems.flatMap(({ headers }) => headers[name] ?? [])
  const value = String(values[0])
  return { ...told, required: values.length === problems.length, example: told.schema.type === 'integer' ? Number(value) : value }
}
