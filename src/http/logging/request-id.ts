import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

// Characters that are safe in a header field, a log line and a shell. Two fields, which Node joins with a comma, are not a token.
const safeToken = /^[\w.~:+/=@-]{1,128}$/

/** Returns the identifier of a request: the client's own `X-Request-Id` if it is a safe token, for use in both logs; else a new UUID. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const sent = headers['x-request-id']
  return typeof sent === 'string' && safeToken.test(sent) ? sent : randomUUID()
}
