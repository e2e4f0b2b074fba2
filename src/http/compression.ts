import compression from 'compression'
import type { RequestHandler } from 'express'

// The APIs and their documentation. Not the pages and not the token endpoint: their responses contain secrets beside text
// that another site can choose, and the size of a compressed response would reveal the secret (BREACH). A browser sends no
// cookie to the APIs from another site, so no other site can have such a response made.
const compressedPaths = /^\/(?:api\/(?:v1|docs|openapi\.json)|graphql)(?:\/|$)/

const compress = compression()

/** Compresses responses from 1 KB by br or gzip where the client accepts it (docs/decisions/errors.md#compression). */
export const compressed: RequestHandler = (request, response, next) => {
  // Checked first: a client that does not ask for compression pays nothing for it.
  if (request.headers['accept-encoding'] === undefined || !compressedPaths.test(request.path)) return next()
  compress(request, response, next)
}
