import type { IncomingHttpHeaders } from 'node:http'

/** A request to a user-supplied URL. */
export interface OutgoingRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
  /** Timeout of the whole exchange, so that a host that sends one byte per second does not hold resources for long. */
  timeoutMilliseconds: number
  /** Maximum number of bytes of the response that are read; the rest is not received. */
  maxBytes: number
  /** True if the status code is sufficient: a body that never ends or is cut off is then no error. */
  acceptsCutBody?: boolean
}

export interface OutgoingResponse {
  status: number
  headers: IncomingHttpHeaders
  /** The first bytes of the body, as UTF-8. */
  body: string
  /** True if the body ended within `maxBytes`. */
  isComplete: boolean
}

/** Sends requests to user-supplied URLs (docs/decisions/outgoing-requests.md); `src/outgoing` implements it. */
export interface Outgoing {
  /** Sends a request and reads the beginning of the response, without following a redirect. Rejects with an `OutgoingError`. */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
  /** Returns the TXT records of a name, which may be an empty list. Rejects with an `OutgoingError` if the name servers do not reply. */
  txtRecords(name: string): Promise<string[]>
  /** Returns the rule that a URL breaks, to follow "must"; null if it breaks none. */
  brokenRule(url: string): string | null
}

/** A request has no response, or none that can be used. The message contains the reason in words for users. */
export class OutgoingError extends Error {}
