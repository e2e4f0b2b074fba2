import { connect } from 'node:net'

/** Sends bytes as they are, as no client library would, and reads the status line; null when none came. */
export function rawStatus(url: string, bytes: string | Buffer, timeoutMilliseconds = 10_000): Promise<number | null> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let received = ''
    const done = () => {
      socket.destroy()
      const status = /^HTTP\/1\.1 (\d{3})/.exec(received)?.[1]
      resolve(status === undefined ? null : Number(status))
    }
    socket.setTimeout(timeoutMilliseconds, done)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (received.includes('\r\n')) done()
    })
    socket.on('close', done)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      received || error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : reject(error),
    )
    socket.write(bytes)
  })
}
