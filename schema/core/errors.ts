import { isUnavailable } from '../../prisma/connection/availability.ts'
import { UnknownOutcomeError } from '../../prisma/statement/transaction.ts'
import type { Context } from './context.ts'

/** The catalogue of errors. `rest-facade/http/problem.ts` defines the status code and the body of each. */
export type ErrorCode =
  | 'unauthenticated'
  | 'insufficient_scope'
  | 'team_forbidden'
  | 'two_factor_required'
  | 'sign_in_required'
  | 'role_required'
  | 'session_required'
  | 'recent_sign_in_required'
  | 'own_proof_required'
  | 'operator_only'
  | 'not_found'
  | 'validation_failed'
  | 'last_owner'
  | 'already_member'
  | 'precondition_failed'
  | 'cursor_expired'
  | 'rate_limited'
  | 'unavailable'
  | 'outcome_unknown'

export type FieldErrors = Record<string, string[]>

export interface ErrorDetails {
  /** Details for the log; the caller does not receive them. */
  detail?: string
  /** Validation messages by the name of the parameter in the request. */
  errors?: FieldErrors
  /** The messages that contain the parameter's name, with `:attribute` in its place: pages use the label of their field. */
  templates?: FieldErrors | undefined
  /** The scopes, any one of which would be sufficient. */
  scopes?: readonly string[]
  /** The reason why the credential is refused, as `error_description` of the challenge (RFC 6750 §3). */
  errorDescription?: string
  /** A second challenge, for a credential that requires a scheme other than Bearer (RFC 9110 §11.6.1). */
  challenge?: string
  /** Seconds after which the caller may retry. */
  retryAfterSeconds?: number
  /** The sign-in that a team requires, for the page that offers it. */
  signIn?: RequiredSignIn
  /** The rate limit that was reached. */
  limit?: RateLimit
}

export interface RequiredSignIn {
  /** Slug of the team. */
  team: string
  /** Name of the provider. */
  provider: string
  /** Identifier of the provider. */
  providerId: string
  /** True if the caller can open the team with a passkey instead. */
  isOwner: boolean
}

export interface RateLimit {
  /** Name of the limit in `RateLimit-Policy`. */
  policy: string
  quota: number
  windowSeconds: number
  /** Number of requests left, which is less than this request needs. Default: none. */
  remaining?: number
  /** Plural noun for what the limit counts, in messages to users; default `attempts`. */
  counted?: string
}

/** An error that the caller sees: a code of the catalogue and a message. Any other error becomes a 500 without details. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, { cause, ...details }: ErrorDetails & { cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'DomainError'
    this.code = code
    this.details = details
  }

  /** The code in REST responses: `server_error` for every 5xx after which nothing was changed (docs/decisions/errors.md#faults). */
  get restCode(): string {
    return this.code === 'unavailable' ? 'server_error' : this.code
  }

  /** The `extensions` member of the GraphQL error (docs/decisions/graphql.md#errors). */
  get extensions() {
    const { errors, scopes, retryAfterSeconds, limit } = this.details
    return {
      code: this.code,
      ...(errors && { errors }),
      ...(scopes && { scopes }),
      ...(limit && { limit: limit.policy }),
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    }
  }
}

export const unauthenticated = (details?: ErrorDetails) => new DomainError('unauthenticated', 'Unauthenticated.', details)

type Forbidden = Extract<
  ErrorCode,
  | 'insufficient_scope'
  | 'team_forbidden'
  | 'role_required'
  | 'session_required'
  | 'recent_sign_in_required'
  | 'own_proof_required'
  | 'operator_only'
>
export const forbidden = (code: Forbidden, details?: ErrorDetails) => new DomainError(code, 'This action is unauthorized.', details)

/** Returns true if the user of a session can continue after another sign-in. */
export const isConfirmable = ({ code }: DomainError): boolean => code === 'recent_sign_in_required' || code === 'own_proof_required'

/** Returns the error for a member of a team that requires two-factor authentication. The message says how to set it up. */
export const twoFactorRequired = () =>
  new DomainError(
    'two_factor_required',
    'This team requires two-factor authentication. Turn it on in the security settings of your account.',
  )

/** Returns the error for a session of staff that has not proved two factors, because the account has none. */
export const staffTwoFactorRequired = () =>
  new DomainError(
    'two_factor_required',
    'Staff need two-factor authentication for this. Turn it on in the security settings of your account.',
  )

/**
 * Returns the error for an act of staff that would change nothing. It would leave no audit entry, but its payload contains the object.
 */
export const nothingToChange = () =>
  new DomainError('validation_failed', 'Staff can only do what changes something: the object is already in this state.')

/** Returns the error for a member of a team that requires sign-in through a provider, whose name the message contains. */
export const signInRequired = (signIn: RequiredSignIn) =>
  new DomainError('sign_in_required', `This team requires sign-in through ${signIn.provider}.`, { signIn })

/** Returns the error for a session that has not proved the second factor of its user, in a team that requires it. */
export const secondFactorRequired = () =>
  new DomainError('recent_sign_in_required', 'This team requires two-factor authentication. Sign in again with your second factor.')

/** Returns the error for a session that an owner of the team has ended there. */
export const sessionEnded = () =>
  new DomainError('recent_sign_in_required', 'An owner of this team ended your sessions in it. Sign in again to open the team.')

export const cursorExpired = () => new DomainError('cursor_expired', 'Events after this cursor have been deleted. Start without a cursor.')

export const notFound = (detail?: string) => new DomainError('not_found', 'Not Found.', { detail })

/** Throws unless the client's condition, if any, holds for the current version. Call it with the row locked, so that nothing changes in between. */
export function requireVersion({ precondition }: Pick<Context, 'precondition'>, version: string): void {
  if (precondition && !precondition(version)) throw new DomainError('precondition_failed', 'Precondition Failed.')
}

/**
 * Converts an error of an unreachable database to a refusal with status 503; returns any other error unchanged. The refusal keeps the error
 * as its cause, by which the log recognizes an outage.
 */
export function asRefusal(error: unknown): unknown {
  if (error instanceof DomainError) return error
  const parts = { detail: error instanceof Error ? error.message : undefined, cause: error }
  // The error has no `retryAfterSeconds`, because a retry could make the change twice.
  if (error instanceof UnknownOutcomeError) return outcomeUnknown(parts)
  return isUnavailable(error) ? new DomainError('unavailable', 'Server Error', { retryAfterSeconds: 1, ...parts }) : error
}

/** Returns the error for a connection to the database that was lost at the commit of a change. */
export const outcomeUnknown = (parts?: Pick<ErrorDetails, 'detail'> & { cause: unknown }) =>
  new DomainError('outcome_unknown', 'The change may or may not have been made. Check before you retry.', parts)

/** Returns true if the service could not process a valid request. Such errors are logged. */
export const isFault = ({ code }: DomainError) => code === 'unavailable' || code === 'outcome_unknown'

/** Returns true if a write violated a unique constraint: Prisma's error P2002, or PostgreSQL's SQLSTATE 23505. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'P2002' || error.code === '23505')

export const rateLimited = (limit: RateLimit, retryAfterSeconds: number) =>
  new DomainError('rate_limited', 'Too Many Attempts.', { limit, retryAfterSeconds: Math.max(Math.ceil(retryAfterSeconds), 1) })

/** Returns a 422 in Laravel's form: the first message and the number of further ones (docs/decisions/errors.md#error-bodies). */
export function invalid(
  errors: FieldErrors,
  code: 'validation_failed' | 'last_owner' | 'already_member' = 'validation_failed',
  templates?: FieldErrors,
) {
  const messages = Object.values(errors).flat()
  const more = messages.length - 1
  const suffix = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : ''
  return new DomainError(code, `${messages[0] ?? 'The given data was invalid.'}${suffix}`, { errors, templates })
}
