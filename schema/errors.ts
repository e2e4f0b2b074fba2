import { isUnavailable } from '../prisma/availability.ts'

/** The catalogue of refusals. `rest-facade/problem.ts` gives each its status code and body. */
export type ErrorCode =
  | 'unauthenticated'
  | 'insufficient_scope'
  | 'team_forbidden'
  | 'role_required'
  | 'recent_sign_in_required'
  | 'not_found'
  | 'validation_failed'
  | 'last_owner'
  | 'already_member'
  | 'rate_limited'
  | 'unavailable'

export type FieldErrors = Record<string, string[]>

export interface ErrorDetails {
  /** For the log alone: what the caller is not told. */
  detail?: string
  /** Messages by the name of the parameter as sent, for what does not validate. */
  errors?: FieldErrors
  /** Scopes any one of which would have been enough. */
  scopes?: readonly string[]
  /** A challenge beside the one of bearer tokens, for a credential that wants another scheme (RFC 9110 §11.6.1). */
  challenge?: string
  /** Seconds after which asking again makes sense. */
  retryAfterSeconds?: number
  /** The limit that was met. */
  limit?: { policy: string; quota: number; windowSeconds: number }
}

/** A refusal the caller is told about: a code of the catalogue and one sentence. Everything else is a fault. */
export class DomainError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = 'DomainError'
    this.code = code
    this.details = details
  }

  /** The code as callers see it: a service that cannot answer now is a server error to them (decisions §2). */
  get publicCode(): string {
    return this.code === 'unavailable' ? 'server_error' : this.code
  }

  /** As GraphQL errors carry it (decisions §2, §10). */
  get extensions() {
    const { errors, scopes, retryAfterSeconds } = this.details
    return {
      code: this.publicCode,
      ...(errors && { errors }),
      ...(scopes && { scopes }),
      ...(retryAfterSeconds !== undefined && { retry_after_seconds: retryAfterSeconds }),
    }
  }
}

export const unauthenticated = (details?: ErrorDetails) => new DomainError('unauthenticated', 'Unauthenticated.', details)

type Forbidden = 'insufficient_scope' | 'team_forbidden' | 'role_required' | 'recent_sign_in_required'
export const forbidden = (code: Forbidden, details?: ErrorDetails) => new DomainError(code, 'This action is unauthorized.', details)

export const notFound = (detail?: string) => new DomainError('not_found', 'Not Found.', { detail })

/** A fault as the refusal it amounts to, where the database cannot be reached; any other as it is. */
export const asRefusal = (error: unknown): unknown =>
  isUnavailable(error)
    ? new DomainError('unavailable', 'Server Error', { retryAfterSeconds: 1, detail: error instanceof Error ? error.message : undefined })
    : error

/** Whether a write met a unique constraint. */
export const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'P2002'

export const rateLimited = (limit: NonNullable<ErrorDetails['limit']>, retryAfterSeconds: number) =>
  new DomainError('rate_limited', 'Too Many Attempts.', { limit, retryAfterSeconds: Math.max(Math.ceil(retryAfterSeconds), 1) })

/** 422 in Laravel's shape: the first message, and how many more there are (decisions §2). */
export function invalid(errors: FieldErrors, code: 'validation_failed' | 'last_owner' | 'already_member' = 'validation_failed') {
  const messages = Object.values(errors).flat()
  const more = messages.length - 1
  const rest = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : ''
  return new DomainError(code, `${messages[0] ?? 'The given data was invalid.'}${rest}`, { errors })
}
