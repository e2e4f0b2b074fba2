import type { Response } from 'express'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { LookContext, readTheme } from './brand/look.ts'
import type { Look, Theme } from './brand/look.ts'

/** Renders an HTML document in the look of the service. */
export const renderDocument = (look: Look, theme: Theme, document: VNode, requestId?: string): string =>
  `<!doctype html>${renderToString(<LookContext.Provider value={{ ...look, theme, requestId }}>{document}</LookContext.Provider>)}`

/** Renders the HTML document of a response. */
export const renderPage = ({ app, req, locals }: Pick<Response, 'app' | 'req' | 'locals'>, document: VNode): string =>
  renderDocument(app.locals.look, readTheme(req), document, locals.requestId)

/** Sends an HTML document, which `finish` can change after it was rendered. */
export function sendPage(
  response: Response,
  status: number,
  document: VNode,
  forms?: FormsOfPage,
  finish: (html: string) => string = (html) => html,
): void {
  response
    .status(status)
    .set(pageHeaders(forms))
    .type('html')
    .send(finish(renderPage(response, document)))
}

export interface FormsOfPage {
  /** True if a form of the page can eventually redirect to a client. */
  leadToClient?: boolean
  /** True if the page contains another page of this origin in a frame. */
  framesOwnPages?: boolean
}

/**
 * Header fields of every page. A page whose forms can lead to a client has no `form-action`. Chromium applies it to every redirect after a
 * form, including redirects of the client to origins that only the client knows, and then stays on the page without a message
 * (docs/decisions/oauth-pages.md#forms).
 *
 * The referrer policy is `same-origin`, because under `no-referrer` browsers send `Origin: null` with our own forms (Fetch §3.1). There is
 * no Cross-Origin-Opener-Policy, because clients open these pages in a pop-up window and the policy would remove `window.opener` from the
 * client's callback page.
 */
export const pageHeaders = ({ leadToClient = false, framesOwnPages = false }: FormsOfPage = {}): Record<string, string> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    ...(framesOwnPages ? ["frame-src 'self'"] : []),
    ...(leadToClient ? [] : ["form-action 'self'"]),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
})
