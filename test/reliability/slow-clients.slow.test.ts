import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowSlowBody } from '../../src/http/slow-body.ts'
import { listen } from '../../src/http/server.ts'
import type { HttpServer } from '../../src/http/server.ts'
import { isFull } from '../support/service/full.ts'

// Real time limits, so in the full suite.
describe.runIf(isFull).concurrent('the HTTP server', { timeout: 30_000 }, () => {
  let server: HttpServer
  beforeAll(async () => {
    server = await listen({ host: '127.0.0.1', port: 0, authUrl: 'http://localhost' })
    server.serve((request, response) => {
      if (request.url === '/upload') allowSlowBody(request)
      void text(request).then(
        (body) => response.end(`received ${body.length}`),
        () => {},
      )
    })
  })
  afterAll(() => server.close(0))

  const header = (length: number, path = '/') =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`

  /**
   * Connects, sends `start` and then up to `bytes` bytes, one every 100 ms. Returns the answer, and the seconds until the server has
   * closed the connection. Without `isPolite`, the client never closes its side and keeps sending after the response.
   */
  async function drip(start: string, bytes: number, isPolite = false): Promise<{ answer: string; seconds: number }> {
    const began = performance.now()
    const socket = createConnection({ port: server.port, host: '127.0.0.1', allowHalfOpen: !isPolite })
    const received: Buffer[] = []
    socket.on('data', (chunk: Buffer) => received.push(chunk)).on('error', () => {})
    socket.once('end', () => (rest = Infinity))
    if (start) socket.write(start)
    let rest = bytes
    const timer = setInterval(() => rest-- > 0 && socket.write('x'), 100)
    await new Promise((resolve) => socket.once('close', resolve))
    clearInterval(timer)
    return { answer: Buffer.concat(received).toString(), seconds: (performance.now() - began) / 1000 }
  }

  test.each([
    ['sends nothing', '', 0],
    ['sends its header fields a byte at a time', 'GET / HTTP/1.1\r\nX-Slow: ', 1000],
    ['stops in its header fields', 'GET / HTTP/1.1\r\nX-Slow: ', 0],
  ])('drops a client that %s within 6 seconds, after a 408', async (_, start, bytes) => {
    const { answer, seconds } = await drip(start, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(seconds).toBeLessThan(6)
  })

  test.each([
    ['sends its body a byte at a time', 1000],
    ['stops in its body', 0],
  ])('drops a client that %s within 11 seconds, after a 408', async (_, bytes) => {
    const { answer, seconds } = await drip(header(1000), bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(seconds).toBeLessThan(11)
  })

  test('serves a client that needs 7 seconds for its body', async () => {
    const { answer, seconds } = await drip(header(70), 70, true)
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*received 70/)
    expect(seconds).toBeGreaterThan(6.9)
  })

  test('serves a client that needs 12 seconds for its body if the handler allows it', async () => {
    const { answer } = await drip(header(120, '/upload'), 120, true)
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*received 120/)
  })
})
