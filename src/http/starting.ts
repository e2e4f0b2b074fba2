import type { RequestListener } from 'node:http'
import { httpProblem } from '../../rest-facade/http/problem.ts'
import { transportSecurityFields } from './hsts.ts'
import { requestIdOf } from './logging/request-id.ts'

/** Returns a listener that responds to every request before the service is ready, in the form of all error responses. The client may retry at once. */
export function respondWhileStarting(authUrl: string): RequestListener {
  const fields = { ...transportSecurityFields(authUrl), 'Cache-Control': 'no-store', 'Retry-After': '1', Connection: 'close' }
  return (request, response) => {
    const requestId = requestIdOf(request)
    const { status, body } = httpProblem(503, requestId)
    const text = JSON.stringify(body)
    const content = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
    response.writeHead(status, { ...fields, ...content, 'X-Request-Id': requestId }).end(text)
  }
}
