import { createServer } from 'node:net'
import type { Server } from 'node:net'

/**
 * Reserves a free port synchronously, so that URLs are known before the set-up runs. `listen` releases the port and makes
 * the server listen on it at 127.0.0.1 within the same tick.
 */
export function reservePort(): { port: number; listen(server: Server): Promise<void>; release(): void } {
  const reservation = createServer().listen(0).unref()
  const address = reservation.address()
  if (address === null || typeof address === 'string') throw new Error('The reservation has no port.')
  const { port } = address
  const release = () => void reservation.close()
  return {
    port,
    release,
    listen(server) {
      release()
      return listenAt(port, server)
    },
  }
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
