import { createHash } from 'node:crypto'
import { Router } from 'express'
import { isNotModified } from '../http/conditional.ts'
import { httpProblem } from '../http/problem.ts'
import { sendProblem } from '../http/send.ts'
import { openApiDocument } from './document.ts'
import type { Addresses } from './document.ts'
import { toOpenApi30 } from './openapi-30.ts'
import { buildPostmanCollection } from './postman-collection.ts'

/** The documents by their paths below the mount point of the router. */
const documents: Record<string, (addresses: Addresses) => object> = {
  '/openapi.json': openApiDocument,
  '/openapi-3.0.json': (addresses) => toOpenApi30(openApiDocument(addresses)),
  '/postman.json': (addresses) => buildPostmanCollection(openApiDocument(addresses)),
}

/** Creates a router for the documents of the REST API, which are public. Mount it at `/api`. */
export function createDocumentRouter(addresses: Addresses): Router {
  const router = Router({ caseSensitive: true })
  for (const [path, build] of Object.entries(documents)) serveDocument(router, path, () => build(addresses))
  return router
}

/** Serves a document, which is computed at the first request for it and does not change while the service runs. */
function serveDocument(router: Router, path: string, build: () => object): void {
  let created: { body: Buffer; etag: string } | undefined
  const create = () => {
    const body = Buffer.from(JSON.stringify(build()))
    // The validator is weak, because compression changes the bytes.
    return { body, etag: `W/"${createHash('sha256').update(body).digest('base64url')}"` }
  }
  router.get(path, (request, response) => {
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
  router.all(path, (_, response) => {
    sendProblem(response, { ...httpProblem(405, response.locals.requestId), headers: { Allow: 'GET, HEAD' } })
  })
}
