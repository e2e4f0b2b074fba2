import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { Server as TcpServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as immediate, setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config/settings.ts'
import { hasCode } from '../config/error-message.ts'
import type { Health } from './health.ts'
import { respondToParseErrors } from './parse-errors.ts'
import { limitBodyTime, maxRequestSeconds } from './slow-body.ts'
import { createStarting, startSeconds } from './starting.ts'

export interface HttpServer {
  /** Port on which the server listens: the configured one, or a free one for port 0. */
  port: number
  /** Address on which the server listens, e.g. `http://127.0.0.1:3000`. The public origin can differ. */
  address: string
  /** Passes requests to the listener, including those that have waited for it. */
  serve(listener: RequestListener): void
  /**
   * Closes each connection with its next response from now on. A proxy then has few connections left when the server closes the idle ones,
   * and rarely sends a request on one of them at that moment.
   */
  drain(): void
  /**
   * Stops accepting connections, waits up to `graceSeconds` for requests in progress, and resolves when all connections are closed.
   * Responses close their connection from now on. Idle connections are closed after `idleSeconds`.
   */
  close(graceSeconds: number, idleSeconds?: number): Promise<void>
}

/** Maximum time in which a server that stops accepts the connections that wait. A busy machine needs seconds for it. */
const maxQueueMilliseconds = 10_000
/** Time in which a message of the primary process, or the request of a connection that was just accepted, arrives. */
const arrivalMilliseconds = 50
/** Requests that were sent before the connection seemed idle arrive within this time. */
const defaultIdleSeconds = 0.2

/**
 * Starts listening. On failure, throws a one-line error that contains the name of the setting. Requests for `health` reach no other
 * listener, so the log, the host check and rate limits do not apply to them.
 */
export async function listen(
  { host, port, authUrl }: Pick<Config, 'host' | 'port' | 'authUrl'>,
  health?: Health,
  waitSeconds = startSeconds,
): Promise<HttpServer> {
  const starting = createStarting(authUrl, waitSeconds)
  let { listener } = starting
  // The last response of each connection. On close, those in progress get `Connection: close`. Otherwise a client could go on sending
  // requests over its connection until the end of the grace period cuts off a response. It is not a set of the responses in progress: V8
  // rebuilds a set to which every request adds, and the replaced tables keep requests in memory for seconds.
  const responses = new Map<Socket, ServerResponse>()
  let isClosing = false
  const server = createServer(
    {
      // With Node's defaults, a client that sends single bytes slowly can hold a connection for minutes. Most bodies get less time.
      headersTimeout: 5000,
      requestTimeout: maxRequestSeconds * 1000,
      connectionsCheckingInterval: 200,
      // The timeout exceeds the 60 s of common proxies, so that a proxy never sends a request on a connection that is closing.
      keepAliveTimeout: 65_000,
      // The host check refuses such requests, with an error body.
      requireHostHeader: false,
    },
    (request, response) => {
      responses.set(request.socket, response)
      if (isClosing) response.shouldKeepAlive = false
      limitBodyTime(server, request)
      if (!health?.respond(request, response)) listener(request, response)
    },
  )
  server.on('connection', (socket: Socket) => socket.once('close', () => responses.delete(socket)))
  respondToParseErrors(server, authUrl)
  const bound = await bind(server, host, port)
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return {
    port: bound.port,
    address: `http://${name}:${bound.port}`,
    serve(next) {
      listener = next
      starting.end(next)
    },
    drain() {
      isClosing = true
      for (const response of responses.values()) response.shouldKeepAlive = false
    },
    async close(graceSeconds, idleSeconds = defaultIdleSeconds) {
      isClosing = true
      starting.refuse()
      const deadline = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000)
      // Idle connections are closed after arrived data was read, because the process may have been busy for longer than the time.
      const closeIdleLater = () => void setTimeout(() => setImmediate(() => server.closeIdleConnections()), idleSeconds * 1000).unref()
      for (const response of responses.values()) {
        if (response.closed) continue
        response.shouldKeepAlive = false
        // The header may have been sent already, without `Connection: close`.
        response.once('close', closeIdleLater)
      }
      if (graceSeconds > 0) await untilAccepted(bound)
      // The method of the HTTP server is not used, because it also closes idle connections.
      const closed = new Promise((resolve) => TcpServer.prototype.close.call(server, resolve))
      closeIdleLater()
      await closed
      clearTimeout(deadline)
    },
  }
}

/**
 * Resolves when the connections that clients opened earlier were accepted. They wait in a queue of the kernel and, with several workers, in
 * one of the primary process; closing the server would reset them. A connection of this process comes after them in both queues.
 */
async function untilAccepted({ port, address }: AddressInfo): Promise<void> {
  const last = connect({ port, host: address }).setTimeout(maxQueueMilliseconds, () => last.destroy())
  last
    .on('error', () => {})
    .resume()
    .end()
  await new Promise<void>((resolve) => last.once('close', () => resolve()))
  await pause(arrivalMilliseconds)
  await immediate()
}

async function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) throw new Error(`PORT ${port} is taken by another program`, { cause: error })
    if (hasCode(error, 'EACCES')) throw new Error(`this process has no permission to listen on PORT ${port}`, { cause: error })
    if (hasCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND')) throw new Error(`HOST ${host} is not an address of this machine`, { cause: error })
    throw error
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a TCP port')
  return address
}
