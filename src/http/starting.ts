import type { RequestListener } from 'node:http'
import { httpProblem } from '../../rest-facade/http/problem.ts'
import { requestIdOf } from './request-id.ts'

/** Responds to every request before the service is ready, in the form of all error responses. The client may retry at once. */
export const respondWhileStarting: RequestListener = (request, response) => {
  const requestId = requestIdOf(request)
  const { status, body } = httpProblem(503, requestId)
  const text = JSON.stringify(body)
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' }
  response.writeHead(status, { ...headers, 'X-Request-Id': requestId, 'Retry-After': '1', Connection: 'close' }).end(text)
}
