import type { ErrorRequestHandler, Response } from 'express'
import { errors } from 'oidc-provider'
import { isUnavailable } from '../../../prisma/connection/availability.ts'
import * as errorPage from '../../web/error-page.tsx'
import { sendPage } from '../../web/send-page.tsx'
import { InvalidFormError } from './interaction-request.ts'

/** Responds with a page to errors of interactions and of forms. */
export const createFormErrorHandler =
  (report: (error: unknown, requestId?: string) => void): ErrorRequestHandler =>
  (error, _, response, next) => {
    if (response.headersSent) return next(error)
    const status = statusOf(error)
    if (status >= 500) report(error, response.locals.requestId)
    if (status === 503) response.set('Retry-After', '1')
    sendErrorPage(response, status)
  }

function statusOf(error: unknown): number {
  if (error instanceof errors.SessionNotFound) return 400
  if (error instanceof InvalidFormError) return 403
  if (isUnavailable(error)) return 503
  // Errors of the form parser: body too large, unknown encoding, malformed.
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}

const errorPages = { 400: errorPage.expired, 403: errorPage.refused, 500: errorPage.failed, 503: errorPage.unavailable }

function sendErrorPage(response: Response, status: number): void {
  const page = Object.entries(errorPages).find(([each]) => Number(each) === status)?.[1] ?? errorPage.unacceptable
  sendPage(response, status, errorPage.ErrorPage(page))
}
