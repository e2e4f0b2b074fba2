import type { OutgoingHttpHeaders } from 'node:http'

/** The announcement that clients should stop using a route. Dates are calendar dates in UTC, for example `2027-01-31`. */
export interface Deprecation {
  since: string
  /** The date from which the route may be missing. */
  sunset?: string
  /** Path of the route to use instead, with parameters of this route. */
  successor?: `/v1/${string}`
}

/** Throws if a date is invalid, or the sunset is before the deprecation (RFC 9745 §4). */
export function checkDeprecation({ since, sunset = since }: Deprecation): void {
  if (!(Date.parse(sunset) >= Date.parse(since))) throw new Error(`the deprecation from ${since} to ${sunset} is invalid`)
}

/** Returns the header fields that announce a deprecation (RFC 9745, RFC 8594), for a request with these path parameters. */
export function deprecationHeaders(
  { since, sunset, successor }: Deprecation,
  publicUrl: string,
  parameters: Readonly<Record<string, unknown>>,
): OutgoingHttpHeaders {
  const path = successor?.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
  const links = [`<${publicUrl}/api/docs>; rel="deprecation"`, ...(path ? [`<${publicUrl}/api${path}>; rel="successor-version"`] : [])]
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    ...(sunset !== undefined && { Sunset: new Date(sunset).toUTCString() }),
    Link: links.join(', '),
  }
}
