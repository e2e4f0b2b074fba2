import type { Response } from 'express'
import type { VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { pageHeaders } from './page-headers.ts'

/** Renders an HTML document. */
export const renderPage = (document: VNode): string => `<!doctype html>${renderToString(document)}`

/** Sends an HTML document. Its forms may redirect to `redirectUrls`. */
export function sendPage(response: Response, status: number, document: VNode, redirectUrls: readonly string[] = []): void {
  response
    .status(status)
    .set(pageHeaders(...redirectUrls))
    .type('html')
    .send(renderPage(document))
}
