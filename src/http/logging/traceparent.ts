import type { IncomingMessage } from 'node:http'

// The format of W3C Trace Context. Further fields belong to later versions of the format.
const pattern = /^(?!ff)[\da-f]{2}-((?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?:$|-)/

/** Returns the valid `traceparent` of a request, in version 00, or undefined. */
export function traceparentOf({ headers }: IncomingMessage): string | undefined {
  const sent = headers['traceparent']
  const [, fields] = typeof sent === 'string' ? (pattern.exec(sent) ?? []) : []
  return fields === undefined ? undefined : `00-${fields}`
}

/** Returns the trace's identifier in a `traceparent`. */
export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35)
