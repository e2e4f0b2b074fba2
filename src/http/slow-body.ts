import type { IncomingMessage, Server } from 'node:http'

/** Maximum time of a whole request in seconds, and the maximum unless `allowSlowBody` was called. */
export const maxRequestSeconds = 60
const maxBodySeconds = 10

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Refuses a request whose body takes too long, as Node refuses one that exceeds `requestTimeout`, which is the same for all requests. */
export function limitBodyTime(server: Server, request: IncomingMessage): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
  if (length === '0' && encoding === undefined) return
  const timer = setTimeout(() => {
    if (request.complete) return
    server.emit('clientError', Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket)
  }, maxBodySeconds * 1000)
  timers.set(request, timer.unref())
  request.once('close', () => clearTimeout(timer))
}

/** Gives a signed-in user the time that a large file needs on a slow connection. */
export const allowSlowBody = (request: IncomingMessage): void => clearTimeout(timers.get(request))
