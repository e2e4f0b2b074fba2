import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { statusOf } from '../../rest-facade/problem.ts'
import { DomainError, asRefusal } from '../../schema/errors.ts'
import { signInAt } from './addresses.ts'
import * as trouble from './error.tsx'
import { pageHeaders } from './headers.ts'
import { renderPage } from './page.tsx'
import { UnsealedForm } from './serve.tsx'

/** What no page answers to. Programs that ask for no page are told in their own way. */
export const notFound: RequestHandler = (request, response, next) => {
  if (request.accepts(['json', 'html']) !== 'html') return next()
  show(response, 404, trouble.unknown)
}

/** Refusals and faults as pages that say what happened and what to do next. */
export const showTrouble =
  (report: (error: unknown, requestId?: string) => void): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (response.headersSent) return next(error)
    const cause = asRefusal(error)
    if (cause instanceof DomainError && cause.code === 'unauthenticated') return response.redirect(303, signInAt(request.path))
    const status = statusFor(cause)
    if (status >= 500) report(error, response.locals['requestId'] as string)
    const seconds = cause instanceof DomainError ? cause.details.retryAfterSeconds : undefined
    if (seconds !== undefined) response.set('Retry-After', String(seconds))
    if (cause instanceof UnsealedForm) return show(response, status, trouble.expiredForm(request.originalUrl))
    if (status === 429) return show(response, status, trouble.tooManyAttempts(seconds ?? 1))
    show(response, status, troubles[status] ?? trouble.unacceptable)
  }

const troubles: Record<number, trouble.Trouble> = {
  403: trouble.notYours,
  404: trouble.unknown,
  500: trouble.failed,
  503: trouble.unavailable,
}

function statusFor(error: unknown): number {
  if (error instanceof DomainError) return statusOf[error.code]
  if (error instanceof UnsealedForm) return 403
  // A path that cannot be decoded names nothing.
  if (error instanceof URIError) return 404
  // What the parser of forms refuses: too large, of another encoding, no form at all.
  const { status } = error as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}

function show(response: Response, status: number, what: trouble.Trouble): void {
  response
    .status(status)
    .set(pageHeaders())
    .type('html')
    .send(renderPage(trouble.ErrorPage(what)))
}
