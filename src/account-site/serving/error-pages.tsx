import type { Request, Response, ErrorRequestHandler, RequestHandler } from 'express'
import { PageFormsContext } from '../../web/components/forms/form.tsx'
import type { CsrfTokens } from '../../web/csrf.ts'
import { ErrorPage, ErrorText } from '../../web/error-page.tsx'
import type { ErrorPageContent } from '../../web/error-page.tsx'
import { sendPage } from '../../web/send-page.tsx'
import { account } from '../account/account.tsx'
import { createPageContext } from '../framework/page-context.ts'
import type { SitePorts } from '../framework/page-context.ts'
import type { Page } from '../framework/page.ts'
import { createFormTokens } from './form-tokens.ts'
import { Layout } from '../layout/site-layout.tsx'
import { createNavigation } from '../layout/navigation.ts'
import { z } from 'zod'
import { statusByCode } from '../../../rest-facade/http/problem.ts'
import { DomainError, asRefusal, isConfirmable } from '../../../schema/core/errors.ts'
import { confirmationFor, signInAt } from '../../web/page-paths.ts'
import * as errorPage from '../../web/error-page.tsx'
import { InvalidCsrfToken } from './submit-form.ts'

type ShowError = (request: Request, response: Response, status: number, content: ErrorPageContent) => Promise<void>

/** Returns a function that sends an error page. For a signed-in user, the page has the navigation. */
export function createShowError(site: SitePorts, csrfTokens: CsrfTokens, pages: readonly Page[]): ShowError {
  const buildNavigation = createNavigation(pages)

  async function signedInPage(request: Request, response: Response, content: ErrorPageContent) {
    const ctx = await createPageContext(site, request, response, { needsTeam: false })
    // The forms of the header are sent to the account page, because the address of this page may accept none.
    const { of: getCsrfToken, getDraft: getDraftToken } = createFormTokens(csrfTokens, account, { ...ctx, path: account.path })
    return (
      <PageFormsContext.Provider value={{ action: account.path, getCsrfToken, getDraftToken, refused: null }}>
        {/* No link leads to this page, so none is marked as the current one. */}
        <Layout title={content.title} ctx={ctx} navigation={buildNavigation(ctx, null)}>
          <section>
            <ErrorText {...content} />
          </section>
        </Layout>
      </PageFormsContext.Provider>
    )
  }

  return async (request, response, status, content) => {
    const isSignedIn = response.locals.person && status !== 503
    // The cause of the error can also prevent the navigation from being loaded.
    const document = isSignedIn ? await signedInPage(request, response, content).catch(() => null) : null
    sendPage(response, status, document ?? ErrorPage(content))
  }
}

/** Sends the 404 page to browsers. Clients that prefer JSON get a JSON error from the next handler. */
export const handleNotFound =
  (show: ShowError): RequestHandler =>
  (request, response, next) =>
    request.accepts(['json', 'html']) === 'html' ? show(request, response, 404, errorPage.notFound) : next()

/** Sends an error page for errors of the account site and reports unexpected errors. */
export const handleErrors =
  (report: (error: unknown, requestId?: string) => void, show: ShowError): ErrorRequestHandler =>
  (error, request, response, next) => {
    if (response.headersSent) return next(error)
    const cause = asRefusal(error)
    if (cause instanceof DomainError && cause.code === 'unauthenticated') return response.redirect(303, signInAt(request.path))
    // A team requires the second factor, which the session lacks, or a download concerns the account.
    if (cause instanceof DomainError && isConfirmable(cause)) return response.redirect(303, confirmationFor(cause)(request.originalUrl))
    const status = statusFor(cause)
    if (status >= 500) report(error, response.locals.requestId)
    const seconds = cause instanceof DomainError ? cause.details.retryAfterSeconds : undefined
    if (seconds !== undefined) response.set('Retry-After', String(seconds))
    if (cause instanceof InvalidCsrfToken) return show(request, response, status, errorPage.expiredForm(request.originalUrl))
    if (cause instanceof DomainError && cause.code === 'two_factor_required')
      return show(request, response, status, errorPage.twoFactorRequired(cause.message))
    if (cause instanceof DomainError && cause.details.signIn)
      return show(request, response, status, errorPage.signInRequired(cause.details.signIn, request.originalUrl))
    const [teamPath] = /^\/teams\/[^/]+/.exec(request.path) ?? []
    if (cause instanceof DomainError && cause.code === 'role_required' && teamPath !== undefined)
      return show(request, response, status, errorPage.roleRequired(`${teamPath}/members`))
    if (cause instanceof DomainError && cause.code === 'outcome_unknown') return show(request, response, status, errorPage.outcomeUnknown)
    if (request.method === 'GET' && cause instanceof DomainError && cause.details.errors)
      return show(request, response, status, errorPage.notDownloaded(Object.values(cause.details.errors).flat()))
    if (status === 429) return show(request, response, status, errorPage.tooManyAttempts(seconds ?? 1))
    // A failed request without side effects can be repeated as it was.
    const page = status >= 500 && request.method === 'GET' ? request.originalUrl : undefined
    return show(request, response, status, { ...(errorPages[status] ?? errorPage.unacceptable), page })
  }

const errorPages: Record<number, errorPage.ErrorPageContent> = {
  403: errorPage.forbidden,
  404: errorPage.notFound,
  500: errorPage.failed,
  503: errorPage.unavailable,
}

function statusFor(error: unknown): number {
  if (error instanceof DomainError) return statusByCode[error.code]
  if (error instanceof InvalidCsrfToken) return 403
  // The path contains an invalid percent-encoding.
  if (error instanceof URIError) return 404
  return bodyParserError.safeParse(error).data?.status ?? 500
}

/** An error of the form parser: a body that is too large, malformed or not a form. */
const bodyParserError = z.object({ status: z.number().min(400).lt(500) })
