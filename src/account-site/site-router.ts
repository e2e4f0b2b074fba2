import type { RequestHandler } from 'express'
import { Router, urlencoded } from 'express'
import { allow } from '../http/allowed-methods.ts'
import type { AuthenticateSession } from '../auth/session-credential.ts'
import { createCsrfTokens } from '../web/csrf.ts'
import { accountPagesAt, accountParameter } from '../web/page-paths.ts'
import { listAccountPages } from './support-access/account-pages.ts'
import { signOut, chooseTheme } from './layout/shared-forms.ts'
import { downloads, pages, tools } from './pages.ts'
import { readUpload } from './serving/read-upload.ts'
import { createServe } from './serving/serve-site.ts'
import { createSamlEndpoints } from './providers/saml-endpoints.ts'
import type { SamlPorts } from './providers/saml-endpoints.ts'
import { handleErrors, handleNotFound, createShowError } from './serving/error-pages.tsx'
import type { SitePorts } from './framework/page-context.ts'

/** Paths with the slug of a team: its pages and files, and its sign-in page. Slugs have lower-case ASCII letters, digits and hyphens. */
const pathWithSlug = /^\/(teams(?=\/[\w-]+(?:\/|$))|sign-in(?=\/[\w-]+$))\/([\w-]+)/

/**
 * Redirects from addresses with capital letters, such as `/teams/Northwind`. Forms are not redirected, because the browser would not send
 * the fields again.
 */
const redirectToLowerCaseSlug: RequestHandler = (request, response, next) => {
  const { method, path, originalUrl } = request
  const [start, section, slug] = pathWithSlug.exec(path) ?? []
  if ((method !== 'GET' && method !== 'HEAD') || start === undefined || slug === undefined || slug === slug.toLowerCase()) return next()
  const query = originalUrl.indexOf('?')
  response.redirect(301, `/${section}/${slug.toLowerCase()}${path.slice(start.length)}${query === -1 ? '' : originalUrl.slice(query)}`)
}

interface RouterPorts {
  site: SitePorts
  saml: SamlPorts
  /** Assigns each request a context of the authorization server, which manages the sessions. */
  withRequestContext: RequestHandler
  authenticateSession: AuthenticateSession
}

/** Creates the account site. Mount it at the root after all other parts, because unknown paths get its 404 page. */
export function createAccountSite({ site, saml, withRequestContext, authenticateSession }: RouterPorts): Router {
  const authenticatePerson: RequestHandler = async (request, response, next) => {
    response.locals.person = await authenticateSession(request, response)
    next()
  }
  const csrfTokens = createCsrfTokens(site.deriveSecret)
  const showError = createShowError(site, csrfTokens, pages)
  const serve = createServe({
    site,
    csrfTokens,
    pages,
    sharedForms: { 'sign-out': signOut, theme: chooseTheme },
  })

  const router = Router({ caseSensitive: true, strict: true })
  router.use(redirectToLowerCaseSlug)
  const read = listAccountPages(pages).map((page) => ({ page, path: accountPagesAt(`:${accountParameter}`) + page.path }))
  for (const { page, path } of [...[...pages, ...tools].map((page) => ({ page, path: page.path })), ...read]) {
    const steps = [withRequestContext, authenticatePerson]
    router.all(path, allow('GET', 'POST'))
    router.get(path, ...steps, serve.get(page))
    const readForm = [...(page.takesFiles ? [readUpload] : []), urlencoded({ extended: false, limit: '64kb' })]
    router.post(path, ...steps, ...readForm, serve.post(page))
  }
  for (const download of downloads) {
    router.all(download.path, allow('GET'))
    router.get(download.path, withRequestContext, authenticatePerson, serve.download(download))
  }
  router.use(createSamlEndpoints(saml))
  router.use(withRequestContext, authenticatePerson, handleNotFound(showError))
  router.use(handleErrors(site.report, showError))
  return router
}
