import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { hasCode } from '../config/error-message.ts'
import type { Config } from '../config/settings.ts'

type Read = () => Promise<{ type: string; text: string }>

/**
 * Serves `/metrics` on a port of its own, because it is only for the operator. Throws a one-line error if it cannot listen. The returned
 * function closes the port.
 */
export async function serveMetrics(
  { metricsHost, metricsPort }: Pick<Config, 'metricsHost' | 'metricsPort'>,
  read: Read,
  log: Logger,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') return void response.writeHead(404).end()
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405, { Allow: 'GET, HEAD' }).end()
    read().then(
      ({ type, text }) => response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'reading the metrics failed')
        response.writeHead(503).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(hasCode(error, 'EADDRINUSE') ? new Error(`METRICS_PORT ${metricsPort} is taken by another program`, { cause: error }) : error),
    )
    server.listen(metricsPort, metricsHost, resolve)
  })
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}
