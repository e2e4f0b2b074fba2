import { createServer } from 'node:net'
import type { Server } from 'node:net'

// Linux gives the ports from 32768 to connections and to servers without a port (ip_local_port_range). Below it, a port that
// is free stays free until the test uses it. Each process of a test run has its own ports, and uses each of them once.
const [firstPort, endOfPorts, processes] = [12_000, 32_000, 16]
const slot = Number(process.env.VITEST_POOL_ID ?? 0) % processes
let nextRow = process.pid

/**
 * Reserves a free port synchronously, so that URLs are known before the set-up runs. `listen` releases the port and makes
 * the server listen on it at 127.0.0.1 within the same tick.
 */
export function reservePort(): { port: number; listen(server: Server): Promise<void>; release(): void } {
  const reservation = reserve()
  const release = () => void reservation.server.close()
  return {
    port: reservation.port,
    release,
    listen(server) {
      release()
      return listenAt(reservation.port, server)
    },
  }
}

function reserve(): { port: number; server: Server } {
  const rows = (endOfPorts - firstPort) / processes
  for (let tries = 0; tries < rows; tries++) {
    const port = firstPort + (nextRow++ % rows) * processes + slot
    // A port that is taken has no address yet, and the error comes later.
    const server = createServer().on('error', () => {})
    server.listen(port).unref()
    if (server.address() !== null) return { port, server }
  }
  throw new Error(`No port from ${firstPort} to ${endOfPorts} is free.`)
}

/** Listens at 127.0.0.1. Rejects if another program uses the port. */
export function listenAt(port: number, server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}
