import { connect } from 'node:net'

/** Sends bytes that no HTTP client would send. Returns the status code, or null without a response. */
export async function sendRawForStatus(url: string, bytes: string | Buffer): Promise<number | null> {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(await sendRaw(url, bytes))?.[1]
  return status === undefined ? null : Number(status)
}

/**
 * Sends bytes and returns everything received until the connection is closed, or idle for a second after the first bytes.
 * Disconnects if nothing is received for `silenceMilliseconds`.
 */
export function sendRaw(url: string, bytes: string | Buffer, silenceMilliseconds = 40_000): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    let received = ''
    const done = () => {
      socket.destroy()
      resolve(received)
    }
    socket.setTimeout(silenceMilliseconds, done)
    socket.on('data', (chunk) => {
      socket.setTimeout(1000)
      received += chunk.toString('latin1')
    })
    socket.on('close', done)
    socket.on('error', (error: NodeJS.ErrnoException) =>
      received || error.code === 'ECONNRESET' || error.code === 'EPIPE' ? done() : reject(error),
    )
    socket.write(bytes)
  })
}
