import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { runWithRequest } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import './locals.ts'
import { requestIdOf } from './request-id.ts'
import { routeTemplate } from './route-template.ts'

/**
 * Gives each request its id (`X-Request-Id`, `locals.requestId`) and writes one log line when the response ends: caller, method,
 * route, status code, milliseconds, number of statements. The line has no path, query, header field or body, since these can
 * carry secrets.
 */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const requestId = requestIdOf(request)
    response.locals.requestId = requestId
    response.locals.fields = { 'X-Request-Id': requestId }
    const current: CurrentRequest = { requestId, statements: 0, caller: null }
    if (log.isLevelEnabled('info')) {
      const startedAt = performance.now()
      response.on('close', () => {
        const { method } = request
        const { caller, statements } = current
        const milliseconds = Math.round(performance.now() - startedAt)
        const line = { requestId, ...caller, method, route: routeTemplate(request), status: response.statusCode, milliseconds, statements }
        log.info(line, 'request completed')
      })
    }
    runWithRequest(current, next)
  }
}
