import { connect } from 'node:net'

/** Sends bytes as they are, as no client library would, and reads the status line; null when none came. */
export async function rawStatus(url: string, bytes: string | Buffer): Promise<number | null> {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(await rawAnswer(url, bytes))?.[1]
  return status === undefined ? null : Number(status)
}

/** The same, and all that comes back until the connection is closed or silent for a second. */
export function rawAnswer(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let received = ''
    const done = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(1000, done)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('close', done)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      received || error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : reject(error),
    )
    socket.write(bytes)
  })
}
