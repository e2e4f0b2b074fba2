import { DomainError, forbidden, invalid, notFound, rateLimited, unauthenticated } from '../schema/errors.ts'
import type { ErrorCode } from '../schema/errors.ts'
import { object } from './openapi-components.ts'
import type { Components, JsonSchema, Reference, Response } from './openapi-components.ts'
import { exchangeHeaderReferences, headerOf } from './openapi-headers.ts'
import { domainProblem, httpProblem, isHttpProblem, statusOf } from './problem.ts'
import type { Problem } from './problem.ts'
import { requestIdSample } from './samples.ts'

/** What each status code of refusal is called and when it is answered. */
const words: Record<number, { name: string; description: string }> = {
  400: { name: 'BadRequest', description: 'The body cannot be read as JSON.' },
  401: { name: 'Unauthenticated', description: 'No credential was sent, or an unknown, expired or revoked one.' },
  403: { name: 'Forbidden', description: 'The credential does not reach the team, lacks the scope, or its person lacks the role.' },
  404: { name: 'NotFound', description: 'The team has nothing by this identifier.' },
  413: { name: 'ContentTooLarge', description: 'The body is over 100 KiB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not `application/json`.' },
  422: {
    name: 'ValidationFailed',
    description: 'A parameter or a member of the body does not validate. `errors` has the messages by name.',
  },
  429: { name: 'TooManyRequests', description: 'A limit is met; `Retry-After` says for how long.' },
  500: { name: 'ServerError', description: 'A fault of the service, logged under `request_id`.' },
  503: { name: 'Unavailable', description: 'The service cannot answer at present; asking again later makes sense.' },
}

/** One refusal of each code that REST can give; sessions have no way there. The compiler asks for a row when the catalogue grows. */
const refusals: Record<Exclude<ErrorCode, 'recent_sign_in_required'>, DomainError> = {
  unauthenticated: unauthenticated(),
  insufficient_scope: forbidden('insufficient_scope', { scopes: ['acct:team:members:read'] }),
  team_forbidden: forbidden('team_forbidden'),
  role_required: forbidden('role_required'),
  not_found: notFound(),
  validation_failed: invalid({ per_page: ['The per page field must be at least 1.'], sort: ['The selected sort is invalid.'] }),
  last_owner: invalid({ role: ['The team must keep at least one owner.'] }, 'last_owner'),
  already_member: invalid({ email: ['This user already belongs to the team.'] }, 'already_member'),
  rate_limited: rateLimited({ policy: 'api', quota: 1200, windowSeconds: 60 }, 42),
  unavailable: new DomainError('unavailable', 'Server Error', { retryAfterSeconds: 1 }),
}

/** The responses of refusal, one a status code; bodies and header fields are those the façade itself makes. */
export class Refusals {
  readonly responses: Record<string, Response> = {}
  readonly #components: Components
  readonly #realm: string

  constructor(components: Components, realm: string) {
    this.#components = components
    this.#realm = realm
  }

  /** A reference to the response of a status code, made when it is first asked for. */
  refer(status: number): Reference {
    const named = words[status]
    if (!named) throw new Error(`OpenAPI has no words on ${status}`)
    const { name, description } = named
    this.responses[name] ??= this.#response(name, description, this.#problemsOf(status))
    return { $ref: `#/components/responses/${name}` }
  }

  #problemsOf(status: number): Problem[] {
    const challenge = { realm: this.#realm, credentialSent: true }
    const ofDomain = Object.values(refusals).filter(({ code }) => statusOf[code] === status)
    if (ofDomain.length === 0 && isHttpProblem(status)) return [httpProblem(status, requestIdSample)]
    return ofDomain.map((refusal) => domainProblem(refusal, requestIdSample, challenge))
  }

  #response(name: string, description: string, problems: Problem[]): Response {
    const headers = new Set(problems.flatMap((problem) => Object.keys(problem.headers)))
    const schema = this.#components.refer(name.replace(/(?:Error)?$/, 'Error'), problemSchema(description, problems))
    const examples = Object.fromEntries(problems.map(({ body }) => [String(body.code), { value: body }]))
    return {
      description,
      headers: { ...exchangeHeaderReferences, ...Object.fromEntries([...headers].map((header) => [header, headerOf(header, problems)])) },
      content: { 'application/json': { schema, examples } },
    }
  }
}

const members: Record<string, JsonSchema> = {
  message: { type: 'string', description: 'The refusal in words; of several messages the first, and how many more there are.' },
  errors: {
    type: 'object',
    description: 'Messages by the name of the parameter or member as sent; items of a list as `expand.0`.',
    additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
  request_id: { type: 'string', format: 'uuid', description: 'As in `X-Request-Id`; the service’s log has it.' },
}

function problemSchema(description: string, problems: Problem[]): JsonSchema {
  const code = { type: 'string', enum: problems.map(({ body }) => body.code as string), description: 'The refusal for programs.' } as const
  const names = Object.keys(problems[0]?.body ?? {})
  return object(description, Object.fromEntries(names.map((name) => [name, name === 'code' ? code : (members[name] ?? {})])))
}
