import { createServer } from 'node:http'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that a receiver got. */
export interface Received {
  headers: IncomingHttpHeaders
  body: string
  /** The event. */
  event: { id: string; type: string; occurred_at: string; team: string; sequence: string; actor: object; data: Record<string, unknown> }
}

export interface Receiver {
  url: string
  received: Received[]
}

type Answer = (response: ServerResponse, request: Received, message: IncomingMessage) => void

const ok: Answer = (response) => response.writeHead(204).end()

/** Starts an endpoint that keeps what it receives, until the test ends. */
export async function startReceiver(answer: Answer = ok): Promise<Receiver> {
  const { close, ...receiver } = await openReceiver(answer)
  onTestFinished(close)
  return receiver
}

/** Does the same until `close` is called. */
export async function openReceiver(answer: Answer = ok): Promise<Receiver & { close(): Promise<void> }> {
  const received: Received[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const request: Received = { headers: message.headers, body, event: JSON.parse(body) }
      received.push(request)
      answer(response, request, message)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  async function close(): Promise<void> {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, received, close }
}
