import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Server } from 'node:http'
import { Socket } from 'node:net'
import { transportSecurityFields } from './hsts.ts'
import { readRequestId } from './logging/request-fields.ts'

// Requests that Node refuses never reach Express. They get the same error body, request id and header fields as others.
const parseErrors: Record<string, { status: number; code: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, code: 'header_too_large' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'request_timeout' },
}
const malformed = { status: 400, code: 'bad_request' }
// Closing the connection immediately would reset it while the request is still being sent, and the client would not receive the
// response. Without a time limit, a client could keep the connection open by sending more.
const lingerMilliseconds = 300
const unknownExpectation = { status: 417, code: 'expectation_failed' }

/**
 * Responds to requests that are malformed, too slow, have too long a request line or header fields, or expect anything but 100-continue,
 * and closes the connection.
 */
export function respondToParseErrors(server: Server, authUrl: string): void {
  const common = { ...transportSecurityFields(authUrl), 'Content-Type': 'application/json', Connection: 'close' }
  const responseTo = ({ status, code }: typeof malformed, requestId: string) => {
    const body = JSON.stringify({ message: `${STATUS_CODES[status]}.`, code, request_id: requestId })
    return { status, body, headers: { ...common, 'X-Request-Id': requestId, 'Content-Length': String(Buffer.byteLength(body)) } }
  }
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !(socket instanceof Socket) || !socket.writable) return socket.destroy()
    const { status, headers, body } = responseTo(parseErrors[error.code ?? ''] ?? malformed, randomUUID())
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body}`)
    setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  })
  server.on('checkExpectation', (request, response) => {
    const { status, headers, body } = responseTo(unknownExpectation, readRequestId(request))
    response.writeHead(status, headers).end(body)
  })
}
