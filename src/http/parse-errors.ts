import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { Socket } from 'node:net'

// Requests that Node's HTTP parser rejects never reach Express. They get the same error body and request id as others.
const responses: Record<string, { status: string; code: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'header_too_large',
    message: 'Request Header Fields Too Large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: '408 Request Timeout', code: 'request_timeout', message: 'Request Timeout.' },
}
const malformed = { status: '400 Bad Request', code: 'bad_request', message: 'Bad Request.' }

/** Responds to requests that are malformed, too slow, or have too long a request line or header fields, and closes the connection. */
export function respondToParseErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !(socket instanceof Socket) || !socket.writable) return socket.destroy()
    const { status, code, message } = responses[error.code ?? ''] ?? malformed
    const requestId = randomUUID()
    const body = JSON.stringify({ message, code, request_id: requestId })
    const headers = [
      `X-Request-Id: ${requestId}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    socket.end(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`)
  })
}
