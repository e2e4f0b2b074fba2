import { createHash } from 'node:crypto'
import { Router } from 'express'
import { isNotModified } from '../http/conditional.ts'
import { httpProblem } from '../http/problem.ts'
import { sendProblem } from '../http/send.ts'
import { openApiDocument } from './document.ts'
import type { Addresses } from './document.ts'

/** The path of the OpenAPI document, below the mount point of the router. */
const documentPath = '/openapi.json'

/**
 * Creates a router for the OpenAPI document, which is public. Mount it at `/api`. The document is computed at the first request for it and
 * does not change while the service runs.
 */
export function createOpenApiRouter(addresses: Addresses): Router {
  const router = Router({ caseSensitive: true })
  let created: { body: Buffer; etag: string } | undefined
  const create = () => {
    const body = Buffer.from(JSON.stringify(openApiDocument(addresses)))
    // The validator is weak, because compression changes the bytes.
    return { body, etag: `W/"${createHash('sha256').update(body).digest('base64url')}"` }
  }
  router.get(documentPath, (request, response) => {
    const { body, etag } = (created ??= create())
    response
      // The response is cached but revalidated each time, which costs a 304, so that after an upgrade every client reads the new version.
      .set({ 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' })
      // Tools on other origins may read the document, because it contains nothing about any account.
      .set('Access-Control-Allow-Origin', '*')
      .type('json')
    // Express would ignore the condition in requests with `Cache-Control: no-cache`, which `fetch` of Node adds to it.
    if (isNotModified(request, etag)) response.status(304).end()
    else response.send(body)
  })
  router.all(documentPath, (_, response) => {
    sendProblem(response, { ...httpProblem(405, response.locals.requestId), headers: { Allow: 'GET, HEAD' } })
  })
  return router
}
