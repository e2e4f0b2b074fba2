import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { httpProblem } from '../../rest-facade/http/problem.ts'
import { transportSecurityFields } from './hsts.ts'
import { readRequestId } from './logging/request-fields.ts'

/** Seconds for which a request waits for the service to start. A start takes a few, and a migration can take longer. */
export const startSeconds = 10
/** Maximum number of waiting requests. Each holds in memory at most the part of its body that Node has read. */
const maxWaiting = 1000

/** Handling of requests before the service is ready. */
export interface Starting {
  listener: RequestListener
  /** Passes the waiting requests to the listener of the service. */
  end(next: RequestListener): void
  /** Responds to the waiting requests with an error, because the service stops before it has started. */
  refuse(): void
}

/**
 * Lets requests wait until the service is ready, because a proxy that can reach the port of a restarted host does not send a POST to
 * another host. After some seconds the response is 503 in the form of all error responses, and the client may retry at once.
 */
export function createStarting(authUrl: string, seconds: number): Starting {
  const fields = { ...transportSecurityFields(authUrl), 'Cache-Control': 'no-store', 'Retry-After': '1', Connection: 'close' }
  const waiting = new Map<IncomingMessage, { response: ServerResponse; timer: NodeJS.Timeout }>()

  function respond(request: IncomingMessage, response: ServerResponse): void {
    waiting.delete(request)
    const requestId = readRequestId(request)
    const { status, body } = httpProblem(503, requestId)
    const text = JSON.stringify(body)
    const content = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
    response.writeHead(status, { ...fields, ...content, 'X-Request-Id': requestId }).end(text)
  }

  /** Removes and returns the waiting requests whose clients are still connected. */
  function take(): [IncomingMessage, ServerResponse][] {
    const all = [...waiting].map(([request, { response, timer }]): [IncomingMessage, ServerResponse] => {
      clearTimeout(timer)
      return [request, response]
    })
    waiting.clear()
    return all.filter(([, response]) => !response.destroyed)
  }

  return {
    listener(request, response) {
      if (waiting.size >= maxWaiting) return respond(request, response)
      const timer = setTimeout(() => respond(request, response), seconds * 1000)
      waiting.set(request, { response, timer })
      response.once('close', () => {
        clearTimeout(timer)
        waiting.delete(request)
      })
    },
    end(next) {
      for (const [request, response] of take()) next(request, response)
    },
    refuse() {
      for (const [request, response] of take()) respond(request, response)
    },
  }
}
