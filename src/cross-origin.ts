import type { RequestHandler } from 'express'
import { routes } from '../rest-facade/routes/index.ts'

/** What access tokens open. */
const open = /^\/(?:api\/v1(?:\/|$)|graphql\/?$)/

// Of all routes, the same at each: where a page asks for what is not there, it is to read our 404 or 405, not the
// browser's refusal to ask.
const preflightHeaders = {
  'Access-Control-Allow-Methods': [...new Set(routes.map(({ method }) => method.toUpperCase()))].join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, DPoP',
  // Seconds; the most that Chromium keeps it.
  'Access-Control-Max-Age': '7200',
}
const exposedHeaders =
  'X-Request-Id, X-Accepted-Scopes, X-Granted-Scopes, WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, Allow'

/**
 * Lets pages of every origin use what they were given a token for, and read the refusals too (Fetch §3.3). It never
 * lets cookies count (`Access-Control-Allow-Credentials`), so a page gets no more than its token would anywhere else.
 * The fields are the same for every origin and what they are on is not kept: there is nothing for `Vary` to tell apart.
 */
export const crossOrigin: RequestHandler = (request, response, next) => {
  // First, and alone for most: servers and commands send no Origin.
  if (request.headers.origin === undefined || !open.test(request.path)) return next()
  response.setHeader('Access-Control-Allow-Origin', '*')
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
    response.writeHead(204, preflightHeaders).end()
    return
  }
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders)
  next()
}
