import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Request } from 'express'

// Characters that are safe in a header field, a log line and a shell. Two fields, which Node joins with a comma, are not a token.
const safeToken = /^[\w.~:+/=@-]{1,128}$/

/** Returns the identifier of a request: the client's own `X-Request-Id` if it is a safe token, for use in both logs; else a new UUID. */
export function readRequestId({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && safeToken.test(sent) ? sent : randomUUID()
}

// The format of W3C Trace Context. Further fields belong to later versions of the format.
const pattern = /^(?!ff)[\da-f]{2}-((?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?:$|-)/

/** Returns the valid `traceparent` of a request, in version 00, or undefined. */
export function readTraceparent({ headers }: IncomingMessage): string | undefined {
  const sent = headers['traceparent']
  const [, fields] = typeof sent === 'string' ? (pattern.exec(sent) ?? []) : []
  return fields === undefined ? undefined : `00-${fields}`
}

/** Returns the trace's identifier in a `traceparent`. */
export const getTraceId = (traceparent: string): string => traceparent.slice(3, 35)

/**
 * Returns the template of the route that serves a request, such as `/api/v1/teams/{teamSlug}`; null if none does. It contains nothing that
 * the client has sent, because a path can contain identifiers, and the secret of a link. Call it when the response ends.
 */
export function routeTemplate({ baseUrl, route }: Request): string | null {
  const path: unknown = route?.path
  if (typeof path !== 'string') return null
  // Express ignores case when it compares the path at which a router is mounted.
  return `${baseUrl.toLowerCase()}${path === '/' && baseUrl !== '' ? '' : path}`.replaceAll(/:(\w+)/g, '{$1}')
}
