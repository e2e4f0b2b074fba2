import {
  DomainError,
  cursorExpired,
  forbidden,
  invalid,
  notFound,
  outcomeUnknown,
  rateLimited,
  signInRequired,
  twoFactorRequired,
  unauthenticated,
} from '../../schema/core/errors.ts'
import type { ErrorCode } from '../../schema/core/errors.ts'
import { lastOwnerMessage } from '../../schema/members/last-owner.ts'
import { object, openEnum } from './components.ts'
import type { Components, JsonSchema, Reference, Response } from './components.ts'
import { exchangeHeaderReferences, buildHeader, requestIdSchema } from './headers.ts'
import { domainProblem, httpProblem, isHttpProblem, statusByCode } from '../http/problem.ts'
import type { Problem } from '../http/problem.ts'
import { problemMembers, problemType } from '../http/send.ts'
import { requestIdSample } from './examples.ts'

/** Name and description of each error status code. */
const statuses: Record<number, { name: string; description: string }> = {
  400: { name: 'BadRequest', description: 'The body cannot be read as JSON.' },
  401: { name: 'Unauthenticated', description: 'No credential was sent, or an unknown, expired or revoked one.' },
  403: { name: 'Forbidden', description: 'The credential cannot access the team, or it lacks the scope, or its user lacks the role.' },
  404: { name: 'NotFound', description: 'The team has no resource with this identifier.' },
  410: { name: 'Gone', description: 'The cursor is older than the events that are kept. Read the feed from its beginning.' },
  412: {
    name: 'PreconditionFailed',
    description: 'The resource has changed: its `ETag` is none of those in `If-Match`. Nothing was written.',
  },
  413: { name: 'ContentTooLarge', description: 'The body is larger than 100 KiB.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not `application/json`.' },
  422: {
    name: 'ValidationFailed',
    description: 'A parameter or a member of the body is invalid. `errors` has the messages by name.',
  },
  429: { name: 'TooManyRequests', description: 'A rate limit is exceeded; `Retry-After` says for how long.' },
  500: { name: 'ServerError', description: 'An error of the service, logged with its `request_id`.' },
  503: {
    name: 'Unavailable',
    description: 'The service is temporarily unavailable; retry later. With the code `outcome_unknown`, a change may have been made.',
  },
}

/**
 * An error of each code that REST can return. Codes about sessions and operators are missing, because every route needs a scope. A new code
 * does not compile without a row.
 */
const domainErrors: Record<
  Exclude<ErrorCode, 'session_required' | 'recent_sign_in_required' | 'own_proof_required' | 'operator_only'>,
  DomainError
> = {
  unauthenticated: unauthenticated(),
  insufficient_scope: forbidden('insufficient_scope', { scopes: ['acct:team:members:read'] }),
  team_forbidden: forbidden('team_forbidden'),
  two_factor_required: twoFactorRequired(),
  sign_in_required: signInRequired({ team: 'acme', provider: 'Okta', providerId: '', isOwner: false }),
  role_required: forbidden('role_required'),
  not_found: notFound(),
  validation_failed: invalid({ per_page: ['The per page field must be at least 1.'], sort: ['The selected sort is invalid.'] }),
  last_owner: invalid({ role: [lastOwnerMessage()] }, 'last_owner'),
  precondition_failed: new DomainError('precondition_failed', 'Precondition Failed.'),
  cursor_expired: cursorExpired(),
  already_member: invalid({ email: ['This user already belongs to the team.'] }, 'already_member'),
  rate_limited: rateLimited({ policy: 'api', quota: 1200, windowSeconds: 60 }, 42),
  unavailable: new DomainError('unavailable', 'Server Error', { retryAfterSeconds: 1 }),
  outcome_unknown: outcomeUnknown(),
}

/** The error responses, one for each status code, with the bodies and header fields that the façade itself creates. */
export class ErrorResponses {
  readonly responses: Record<string, Response> = {}
  readonly #components: Components
  readonly #publicUrl: string

  constructor(components: Components, publicUrl: string) {
    this.#components = components
    this.#publicUrl = publicUrl
  }

  /** Returns a reference to the response of a status code. The first call defines it. */
  refer(status: number): Reference {
    const described = statuses[status]
    if (!described) throw new Error(`OpenAPI does not describe the status code ${status}`)
    const { name, description } = described
    this.responses[name] ??= this.#response(name, description, this.#listProblems(status))
    return { $ref: `#/components/responses/${name}` }
  }

  /** Returns every error in the responses defined so far, in the order of the status codes. */
  get problems(): Problem[] {
    const defined = Object.entries(statuses).filter(([, { name }]) => this.responses[name])
    return defined.flatMap(([status]) => this.#listProblems(Number(status)))
  }

  #listProblems(status: number): Problem[] {
    const challenge = { publicUrl: this.#publicUrl, resource: 'api', credentialSent: true } as const
    const ofDomain = Object.values(domainErrors).filter(({ code }) => statusByCode[code] === status)
    if (ofDomain.length === 0 && isHttpProblem(status)) return [httpProblem(status, requestIdSample)]
    return ofDomain.map((error) => domainProblem(error, requestIdSample, challenge))
  }

  #response(name: string, description: string, problems: Problem[]): Response {
    const headers = new Set(problems.flatMap((problem) => Object.keys(problem.headers)))
    const content = (schemaName: string, forms: Problem[]) => ({
      schema: this.#components.refer(schemaName, problemSchema(description, forms)),
      examples: Object.fromEntries(forms.map(({ body }) => [String(body.code), { value: body }])),
    })
    const withProblemMembers = problems.map((problem) => ({ ...problem, body: { ...problemMembers(problem.status), ...problem.body } }))
    return {
      description,
      headers: {
        ...exchangeHeaderReferences,
        ...Object.fromEntries([...headers].map((header) => [header, buildHeader(header, problems)])),
      },
      content: {
        'application/json': content(name.replace(/(?:Error)?$/, 'Error'), problems),
        [problemType]: content(`${name}Problem`, withProblemMembers),
      },
    }
  }
}

const members: Record<string, JsonSchema> = {
  type: { type: 'string', const: 'about:blank', description: 'The status code says what kind of problem it is; `code` says more.' },
  title: { type: 'string', description: 'The name of the status code.' },
  status: { type: 'integer', description: 'The status code.' },
  message: { type: 'string', description: 'The error as text: the first message, and the number of further ones.' },
  errors: {
    type: 'object',
    description: 'Messages by the name of the parameter or member as sent; an item of a list is named as in `expand.0`.',
    additionalProperties: { type: 'array', items: { type: 'string' }, minItems: 1 },
  },
  request_id: { ...requestIdSchema, description: 'As in `X-Request-Id`; the service’s log records it.' },
}

function problemSchema(description: string, problems: Problem[]): JsonSchema {
  const code = {
    type: 'string',
    enum: problems.map(({ body }) => String(body.code)),
    description: 'The error code for programs.',
    ...openEnum,
  } as const
  const names = Object.keys(problems[0]?.body ?? {})
  return object(description, Object.fromEntries(names.map((name) => [name, name === 'code' ? code : (members[name] ?? {})])))
}
