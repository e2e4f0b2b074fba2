import compression from 'compression'
import type { RequestHandler } from 'express'

// The APIs and their documentation. Pages and the token endpoint are not compressed. Their responses contain secrets beside text that
// another site can choose, and the size of a compressed response would reveal the secret (BREACH). A browser sends no cookie to the APIs
// from another site, so no other site can cause such a response.
const compressedPaths = /^\/(?:api\/(?:v1|docs|(?:openapi(?:-3\.0)?|postman)\.json)|graphql|mcp)(?:\/|$)/

const compress = compression()

/** Compresses responses from 1 KB by br or gzip if the client accepts it (docs/decisions/errors.md#compression). */
export const compressed: RequestHandler = (request, response, next) => {
  // This is checked first, so that a client that does not request compression has no costs.
  if (request.headers['accept-encoding'] === undefined || !compressedPaths.test(request.path)) return next()
  compress(request, response, next)
}
