import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { withoutSecret } from './mail/link.ts'

/**
 * Gives every exchange its id, in `X-Request-Id` and `locals.requestId`, and writes one log line when it ends: method,
 * path without its query and without the secret of a mail's link, status, milliseconds. Neither header fields nor
 * bodies are logged, so no secret is.
 */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const requestId = randomUUID()
    response.locals.requestId = requestId
    response.setHeader('X-Request-Id', requestId)
    if (log.isLevelEnabled('info')) {
      const startedAt = performance.now()
      const { method, originalUrl } = request
      response.on('close', () => {
        const path = withoutSecret(originalUrl.split('?', 1)[0] ?? '')
        const milliseconds = Math.round(performance.now() - startedAt)
        log.info({ requestId, method, path, status: response.statusCode, milliseconds }, 'answered')
      })
    }
    next()
  }
}
