import type { RequestHandler } from 'express'
import { routes } from '../../rest-facade/routes/index.ts'

/** Paths that accept access tokens. */
export const apiPaths = /^\/(?:api\/v1(?:\/|$)|graphql\/?$|mcp(?:\/readonly)?\/?$)/

// The methods of all routes, on every path. A page that calls a wrong path or method then reads our 404 or 405; with the
// methods of one route, the browser would block the request without a reason.
const preflightHeaders = {
  'Access-Control-Allow-Methods': [...new Set(routes.map(({ method }) => method.toUpperCase()))].join(', '),
  // Fields that the APIs read, and those that tracing libraries and GraphQL clients add to every request.
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, DPoP, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-Request-Id, traceparent, tracestate, baggage, apollographql-client-name, apollographql-client-version, apollo-require-preflight',
  // The value is in seconds. Chromium caches a preflight response for at most two hours.
  'Access-Control-Max-Age': '7200',
}
const exposedHeaders =
  'X-Request-Id, X-Accepted-Scopes, X-Granted-Scopes, ETag, Idempotency-Replayed, WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, Allow, Deprecation, Sunset, Link'

/**
 * Lets pages of any origin call the API with an access token and read its error responses (Fetch §3.3). It never sends
 * `Access-Control-Allow-Credentials`, so cookies have no effect and a page can do no more than its token allows. The header
 * fields do not depend on the origin, so `Vary: Origin` is not needed.
 */
export const crossOrigin: RequestHandler = (request, response, next) => {
  // This is checked first, because servers and command-line clients, the most frequent callers, send no Origin.
  if (request.headers.origin === undefined || !apiPaths.test(request.path)) return next()
  const { fields } = response.locals
  fields['Access-Control-Allow-Origin'] = '*'
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
    response.writeHead(204, { ...fields, ...preflightHeaders }).end()
    return
  }
  fields['Access-Control-Expose-Headers'] = exposedHeaders
  next()
}
