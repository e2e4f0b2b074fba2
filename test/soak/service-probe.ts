import diagnosticsChannel from 'node:diagnostics_channel'
import { openSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Loaded into the service with `--import`. Collects garbage before the metrics are read, so that they show the memory in use. With
// SOAK_LEAK, the process leaks memory, descriptors and connections.

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
diagnosticsChannel.subscribe('http.server.request.start', (message) => {
  if ((message as { request: { url: string } }).request.url === '/metrics') collectGarbage()
})

/** The interval at which the control leaks a megabyte, a descriptor and both ends of a connection. */
const leakMilliseconds = 200
const kept: Buffer[] = []

if (process.env['SOAK_LEAK'] !== undefined) {
  const server = createServer((socket) => void socket.on('error', () => {}))
    .listen(0, '127.0.0.1')
    .unref()
  const leak = () => {
    kept.push(Buffer.alloc(1_000_000, 1))
    openSync('/dev/null', 'r')
    const address = server.address()
    if (address !== null && typeof address !== 'string') connect({ port: address.port, host: '127.0.0.1' })
  }
  setInterval(leak, leakMilliseconds).unref()
}
