import type { IncomingHttpHeaders } from 'node:http'

/** A request to a URL that others name. */
export interface OutgoingRequest {
  url: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body?: string
  /** Of the whole exchange, so that a host that sends a byte a second holds nothing for long. */
  timeoutMilliseconds: number
  /** Bytes of the response that are read; the rest is not received. */
  maxBytes: number
  /** Whether the status code is sufficient: a body that never ends or is cut is not an error then. */
  acceptsCutBody?: boolean
}

export interface OutgoingResponse {
  status: number
  headers: IncomingHttpHeaders
  /** The first bytes, as UTF-8. */
  body: string
  /** Whether the body ended within `maxBytes`. */
  isComplete: boolean
}

/** Requests to URLs that others name (docs/decisions/outgoing-requests.md); `src/outgoing` sends them. */
export interface Outgoing {
  /** Sends a request and reads the beginning of the response, without following a redirect. Rejects with an `OutgoingError`. */
  send(request: OutgoingRequest): Promise<OutgoingResponse>
  /** The values of the TXT records of a name; none if there are none. Rejects with an `OutgoingError` if the name servers do not say. */
  txtRecords(name: string): Promise<string[]>
  /** The rule that a URL breaks, to follow "must"; null if it breaks none. */
  brokenRule(url: string): string | null
}

/** A request has no response, or none that can be used. The message says why, for people. */
export class OutgoingError extends Error {}
