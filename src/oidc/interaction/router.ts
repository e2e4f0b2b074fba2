import { Router, urlencoded } from 'express'
import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { errors } from 'oidc-provider'
import type { Provider } from 'oidc-provider'
import { isUnavailable } from '../../../prisma/availability.ts'
import type { Database } from '../../../prisma/client.ts'
import type { Ports } from '../../../schema/context.ts'
import { allow } from '../../allow.ts'
import { createSeal, isFromOwnPage } from '../../account-site/csrf.ts'
import * as trouble from '../../account-site/error.tsx'
import { pageHeaders } from '../../account-site/headers.ts'
import { renderPage } from '../../account-site/page.tsx'
import { createConsent } from './consent.ts'
import { findAsked, Refused } from './asked.ts'
import type { Asked } from './asked.ts'
import { createSignIn } from './sign-in.ts'

export interface InteractionsPorts {
  provider(): Promise<Provider>
  database: Database
  now(): Date
  deriveSecret: Ports['deriveSecret']
  /** Name of the session's cookie. */
  sessionCookie: string
  /** The origin that forms come from. */
  authUrl: string
  report(error: unknown, requestId?: string): void
}

/** Where people sign in and consent, to be mounted at `interactionPath`, under a request's turn. */
export function createInteractions({ provider, database, now, deriveSecret, sessionCookie, authUrl, report }: InteractionsPorts): Router {
  const seal = createSeal(deriveSecret)
  const signIn = createSignIn({ database, sessionCookie, seal, now })
  const consent = createConsent({ database, seal, now })

  const step =
    (work: (asked: Asked) => void | Promise<void>): RequestHandler =>
    async (request, response) =>
      work(await findAsked(await provider(), database, now(), request, response))
  const ownForm: RequestHandler = ({ headers }, _, next) => next(isFromOwnPage(headers, authUrl) ? undefined : new Refused())
  const form = [ownForm, urlencoded({ extended: false, limit: '16kb' })]

  const router = Router({ caseSensitive: true, strict: true })
  router.use((_, response, next) => {
    // Answers that only lead on are no page, and are not kept either.
    response.set(pageHeaders())
    next()
  })
  router.all('/:uid', allow('GET'))
  router.all(['/:uid/switch', '/:uid/consent'], allow('POST'))
  router.get(
    '/:uid',
    step((asked) => (asked.interaction.prompt.name === 'login' ? signIn.show(asked) : consent.show(asked))),
  )
  router.post('/:uid/switch', form, step(signIn.restart))
  router.post('/:uid/consent', form, step(consent.submit))
  router.use(((error, _, response, next) => {
    if (response.headersSent) return next(error)
    const status = statusOf(error)
    if (status >= 500) report(error, response.locals['requestId'] as string)
    if (status === 503) response.set('Retry-After', '1')
    showTrouble(response, status)
  }) satisfies ErrorRequestHandler)
  return router
}

function statusOf(error: unknown): number {
  if (error instanceof errors.SessionNotFound) return 400
  if (error instanceof Refused) return 403
  if (isUnavailable(error)) return 503
  // What the parser of forms refuses: too large, of another encoding, no form at all.
  const { status } = error as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}

const troubles = { 400: trouble.expired, 403: trouble.refused, 500: trouble.failed, 503: trouble.unavailable }

function showTrouble(response: Response, status: number): void {
  const known = Object.entries(troubles).find(([each]) => Number(each) === status)?.[1] ?? trouble.unacceptable
  response
    .status(status)
    .type('html')
    .send(renderPage(trouble.ErrorPage(known)))
}
