import { createServer } from 'node:http'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from './config.ts'
import { hasCode } from './failure.ts'
import { answerUnparsable } from './unparsable.ts'

export interface HttpServer {
  /** The port it listens on: the one asked for, or the free one found for 0. */
  port: number
  /** Where it listens, e.g. `http://127.0.0.1:3000`; the public origin may be another. */
  address: string
  /** Answers requests from now on; before, each is a 503. */
  serve(listener: RequestListener): void
  /** Takes no more connections, lets requests under way end, for at most `graceSeconds`, and resolves when all are closed. */
  close(graceSeconds: number): Promise<void>
}

/** Listens. A port that is taken throws an error of one line that names the setting. */
export async function listen({ host, port }: Pick<Config, 'host' | 'port'>): Promise<HttpServer> {
  let listener: RequestListener = (_, response) => {
    response.writeHead(503, { 'retry-after': '1', connection: 'close' }).end()
  }
  // A client that keeps its connection and goes on asking would be served until it is cut off in the middle of an answer.
  const underWay = new Set<ServerResponse>()
  let isClosing = false
  const server = createServer(
    {
      // Node's defaults let a client that sends a byte now and then hold a connection for minutes.
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      connectionsCheckingInterval: 1000,
      // Longer than the 60 s of common proxies, which would otherwise send a request into a closing connection.
      keepAliveTimeout: 65_000,
    },
    (request, response) => {
      underWay.add(response)
      response.once('close', () => underWay.delete(response))
      if (isClosing) response.shouldKeepAlive = false
      listener(request, response)
    },
  )
  answerUnparsable(server)
  const bound = await bind(server, host, port)
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return {
    port: bound.port,
    address: `http://${name}:${bound.port}`,
    serve(next) {
      listener = next
    },
    async close(graceSeconds) {
      isClosing = true
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeIdleConnections()
      for (const response of underWay) {
        response.shouldKeepAlive = false
        // Where the head has left already, it said nothing of closing.
        response.once('close', () => server.closeIdleConnections())
      }
      const deadline = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000)
      await closed
      clearTimeout(deadline)
    },
  }
}

async function bind(server: Server, host: string, port: number): Promise<AddressInfo> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) throw new Error(`PORT ${port} is taken by another program`, { cause: error })
    if (hasCode(error, 'EACCES')) throw new Error(`PORT ${port} is not ours to listen on`, { cause: error })
    if (hasCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND')) throw new Error(`HOST ${host} is no address of this machine`, { cause: error })
    throw error
  }
  return server.address() as AddressInfo
}
