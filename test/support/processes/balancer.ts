import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { reservePort } from './port.ts'

interface Balancer {
  origin: string
  targets: number[]
  /** Ends all connections and waits until the clients have noticed. Their next ones go to the current targets. */
  disconnect(): Promise<void>
  listen(): Promise<void>
  close(): Promise<void>
}

/** A TCP load balancer: forwards each connection to the next target port that accepts it. */
export function createBalancer(): Balancer {
  const targets: number[] = []
  const connections = new Set<Socket>()
  let connectionCount = 0
  const server = createServer({ pauseOnConnect: true }, (client) => {
    connections.add(client.once('close', () => connections.delete(client)))
    client.on('error', () => client.destroy())
    const tryNextTarget = (triesLeft: number) => {
      const port = targets[connectionCount++ % targets.length]
      if (port === undefined || triesLeft === 0) return void client.destroy()
      const upstream = connect(port, '127.0.0.1')
      upstream.once('connect', () => {
        client.pipe(upstream).pipe(client)
        client.once('close', () => upstream.destroy())
        upstream.once('close', () => client.destroy())
      })
      let isConnected = false
      upstream.once('connect', () => (isConnected = true))
      upstream.on('error', () => (isConnected ? client.destroy() : tryNextTarget(triesLeft - 1)))
    }
    tryNextTarget(targets.length)
  })
  const { port, listen } = reservePort()
  return {
    origin: `http://127.0.0.1:${port}`,
    targets,
    disconnect: async () => void (await Promise.all(Array.from(connections, (connection) => once(connection.end(), 'close')))),
    listen: () => listen(server),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
