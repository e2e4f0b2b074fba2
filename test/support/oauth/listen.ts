import type { Server } from 'node:net'

/** Starts a server on a free port of 127.0.0.1 and returns its origin. */
export async function listenAtFreePort(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a TCP port')
  return `http://127.0.0.1:${address.port}`
}
