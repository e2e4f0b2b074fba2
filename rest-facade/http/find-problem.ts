import type { Request } from 'express'
import { DomainError, asRefusal, isFault } from '../../schema/core/errors.ts'
import { isBearer } from './bearer.ts'
import { HttpError } from './http-error.ts'
import { domainProblem, httpProblem } from './problem.ts'
import type { Challenge, Problem } from './problem.ts'

interface ProblemPorts extends Omit<Challenge, 'credentialSent'> {
  /** Logs an unexpected error with the request's identifier. */
  report(error: unknown, requestId: string): void
}

/** Returns the response to an error that was thrown while a request was handled. Reports the errors that the caller did not cause. */
export function findProblem(error: unknown, request: Request, requestId: string, { report, ...challenge }: ProblemPorts): Problem {
  const cause = asRefusal(error)
  if (cause instanceof HttpError) return httpProblem(cause.status, requestId, cause.message || undefined)
  if (cause instanceof DomainError) {
    if (isFault(cause)) report(error, requestId)
    return domainProblem(cause, requestId, { ...challenge, credentialSent: isBearer(request.headers.authorization) })
  }
  report(error, requestId)
  return httpProblem(500, requestId)
}
