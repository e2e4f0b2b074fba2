import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import './locals.ts'
import { requestIdOf } from './request-id.ts'

/**
 * Gives each request its id (`X-Request-Id`, `locals.requestId`) and writes one log line when the response ends: method,
 * path, status code, milliseconds. The line has no query, header field or body, since these can carry secrets. `redactPath`
 * removes secrets from the path.
 */
export function requestLog(log: Logger, redactPath: (path: string) => string): RequestHandler {
  return (request, response, next) => {
    const requestId = requestIdOf(request)
    response.locals.requestId = requestId
    response.locals.fields = { 'X-Request-Id': requestId }
    if (log.isLevelEnabled('info')) {
      const startedAt = performance.now()
      const { method, originalUrl } = request
      response.on('close', () => {
        const path = redactPath(originalUrl.split('?', 1)[0] ?? '')
        const milliseconds = Math.round(performance.now() - startedAt)
        log.info({ requestId, method, path, status: response.statusCode, milliseconds }, 'request completed')
      })
    }
    next()
  }
}
