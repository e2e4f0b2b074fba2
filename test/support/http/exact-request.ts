import { request } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'

export interface ExactRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | undefined
}

interface ExactResponse {
  status: number | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** Sends a request with these header fields. Returns the response without its time and request identifier. */
export function sendExactly({ url }: { url: string }, { method, path, headers, body }: ExactRequest): Promise<ExactResponse> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const sent = request(new URL(path, url), { method, headers: { 'X-Request-Id': 'the-same', ...length, ...headers } }, (response) => {
      const { date: _, ...rest } = response.headers
      text(response).then((received) => resolve({ status: response.statusCode, headers: rest, body: received }), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
