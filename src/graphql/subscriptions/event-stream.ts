import { once } from 'node:events'
import type { Response } from 'express'
import type { FormattedExecutionResult } from 'graphql'

/** A client that reads nothing for this long has disconnected or is too slow. */
const stalledMilliseconds = 30_000

/**
 * Writes results as server-sent events, in the form of the protocol GraphQL over SSE with one connection for each operation. A comment at
 * intervals prevents proxies from closing a silent connection. Nothing is buffered beyond the socket: `send` waits until the client has
 * taken the data written before.
 */
export class EventStream {
  readonly #response: Response
  readonly #signal: AbortSignal
  readonly #heartbeat: NodeJS.Timeout
  #isWaiting = false

  constructor(response: Response, signal: AbortSignal, intervalMilliseconds: number) {
    this.#response = response
    this.#signal = signal
    // `no-transform` prevents compression of the stream, and the other field prevents buffering by nginx.
    response.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store, no-transform' })
    response.set({ Connection: 'keep-alive', 'X-Accel-Buffering': 'no' })
    response.write(':\n\n')
    this.#heartbeat = setInterval(() => this.#isWaiting || response.write(':\n\n'), intervalMilliseconds)
    signal.addEventListener('abort', () => clearInterval(this.#heartbeat), { once: true })
  }

  async send(result: FormattedExecutionResult, id?: string): Promise<void> {
    await this.#write(`${id === undefined ? '' : `id: ${id}\n`}event: next\ndata: ${JSON.stringify(result)}\n\n`)
  }

  /** Ends the operation. The client does not connect again. */
  complete(): void {
    if (!this.#signal.aborted) this.#response.write('event: complete\ndata:\n\n')
  }

  async #write(text: string): Promise<void> {
    if (this.#signal.aborted || this.#response.write(text)) return
    this.#isWaiting = true
    const timeout = AbortSignal.timeout(stalledMilliseconds)
    try {
      await once(this.#response, 'drain', { signal: AbortSignal.any([this.#signal, timeout]) })
    } catch {
      if (timeout.aborted) this.#response.destroy()
    }
    this.#isWaiting = false
  }
}
