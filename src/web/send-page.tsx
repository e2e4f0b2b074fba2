import type { Response } from 'express'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { LookContext } from './brand/look.ts'
import type { Look } from './brand/look.ts'
import { themeOf } from './brand/theme.ts'
import type { Theme } from './brand/theme.ts'
import { pageHeaders } from './page-headers.ts'
import type { FormsOfPage } from './page-headers.ts'

/** Renders an HTML document in the look of the service. */
export const renderDocument = (look: Look, theme: Theme, document: VNode, requestId?: string): string =>
  `<!doctype html>${renderToString(<LookContext.Provider value={{ ...look, theme, requestId }}>{document}</LookContext.Provider>)}`

/** Renders the HTML document of a response. */
export const renderPage = ({ app, req, locals }: Pick<Response, 'app' | 'req' | 'locals'>, document: VNode): string =>
  renderDocument(app.locals.look, themeOf(req), document, locals.requestId)

/** Sends an HTML document. */
export function sendPage(response: Response, status: number, document: VNode, forms?: FormsOfPage): void {
  response.status(status).set(pageHeaders(forms)).type('html').send(renderPage(response, document))
}
