import { Router, urlencoded } from 'express'
import type { RequestHandler, ErrorRequestHandler, Response } from 'express'
import { errors } from 'oidc-provider'
import type { Provider } from 'oidc-provider'
import { isUnavailable } from '../../../prisma/connection/availability.ts'
import type { Database } from '../../../prisma/connection/database.ts'
import type { Ports } from '../../../schema/core/ports.ts'
import type { SignInClock } from '../../../schema/core/team-access/required-sign-in.ts'
import { allow } from '../../http/allowed-methods.ts'
import { createCsrfTokens, isFromOwnPage } from '../../web/csrf.ts'
import * as errorPage from '../../web/error-page.tsx'
import { pageHeaders, sendPage } from '../../web/send-page.tsx'
import type { FailureLog } from '../failures/failure-log.ts'
import { createConsent } from './consent.ts'
import { InvalidFormError, loadInteractionRequest } from './interaction-request.ts'
import type { InteractionRequest } from './interaction-request.ts'
import { createSignIn } from './interaction-sign-in.ts'

interface InteractionPorts extends SignInClock {
  provider(): Promise<Provider>
  database: Database
  deriveSecret: Ports['deriveSecret']
  sendMail: Ports['sendMail']
  /** Name of the session cookie. */
  sessionCookie: string
  /** Public origin. Forms must come from it. */
  authUrl: string
  failureLog: Pick<FailureLog, 'record'>
  report(error: unknown, requestId?: string): void
}

/** The pages for sign-in and consent. Mount them at `interactionPath`. Requests need a request context. */
export function createInteractionRouter(ports: InteractionPorts): Router {
  const { provider, database, now, providerSignInDays, deriveSecret, sendMail, sessionCookie, authUrl, failureLog, report } = ports
  const csrfTokens = createCsrfTokens(deriveSecret)
  const signIn = createSignIn({ database, sessionCookie, csrfTokens, authUrl, deriveSecret, now })
  const consent = createConsent({ database, csrfTokens, now, providerSignInDays, sendMail, failureLog })

  const withInteraction =
    (handle: (interactionRequest: InteractionRequest) => void | Promise<void>): RequestHandler =>
    async (request, response) =>
      handle(await loadInteractionRequest(await provider(), database, now(), request, response))
  const checkOrigin: RequestHandler = ({ headers }, _, next) => next(isFromOwnPage(headers, authUrl) ? undefined : new InvalidFormError())
  const readForm = [checkOrigin, urlencoded({ extended: false, limit: '16kb' })]

  const router = Router({ caseSensitive: true, strict: true })
  router.use((_, response, next) => {
    // Redirects get the header fields, too, because they must not be cached either.
    response.set(pageHeaders())
    next()
  })
  router.all('/:uid', allow('GET'))
  for (const path of ['/:uid/switch', '/:uid/consent']) router.all(path, allow('POST'))
  router.get(
    '/:uid',
    withInteraction((request) => (request.interaction.prompt.name === 'login' ? signIn.show(request) : consent.show(request))),
  )
  router.post('/:uid/switch', readForm, withInteraction(signIn.restart))
  router.post('/:uid/consent', readForm, withInteraction(consent.submit))
  router.use(createFormErrorHandler(report))
  return router
}

/** Responds with a page to errors of interactions and of forms. */
export const createFormErrorHandler =
  (report: (error: unknown, requestId?: string) => void): ErrorRequestHandler =>
  (error, _, response, next) => {
    if (response.headersSent) return next(error)
    const status = getStatus(error)
    if (status >= 500) report(error, response.locals.requestId)
    if (status === 503) response.set('Retry-After', '1')
    sendErrorPage(response, status)
  }

function getStatus(error: unknown): number {
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
