import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

/** One address in front of several processes, as a proxy would be: a connection goes to the next one that takes it. */
export async function createBalancer(): Promise<{ origin: string; targets: number[]; close(): Promise<void> }> {
  const targets: number[] = []
  let turn = 0
  const server = createServer({ pauseOnConnect: true }, (client) => {
    client.on('error', () => client.destroy())
    const attempt = (triesLeft: number) => {
      const port = targets[turn++ % targets.length]
      if (port === undefined || triesLeft === 0) return void client.destroy()
      const upstream = connect(port, '127.0.0.1')
      upstream.once('connect', () => {
        client.pipe(upstream).pipe(client)
        client.once('close', () => upstream.destroy())
        upstream.once('close', () => client.destroy())
      })
      let isConnected = false
      upstream.once('connect', () => (isConnected = true))
      upstream.on('error', () => (isConnected ? client.destroy() : attempt(triesLeft - 1)))
    }
    attempt(targets.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    targets,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
