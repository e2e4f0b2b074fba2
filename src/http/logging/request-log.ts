import type { Request, RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Tracer } from '../../../schema/core/observation/tracing.ts'
import { runWithRequest } from './current-request.ts'
import type { CurrentRequest } from './current-request.ts'
import '../locals.ts'
import { readRequestId, routeTemplate, getTraceId, readTraceparent } from './request-fields.ts'

/**
 * Assigns each request its id (`X-Request-Id`, `locals.requestId`), continues its trace (`traceparent`), and writes one log line when the
 * response ends: caller, method, route, status code, milliseconds, number of statements. The line has no path, query, header field or body,
 * because these can contain secrets.
 */
export function requestLog(log: Logger, tracer: Tracer | undefined): RequestHandler {
  return (request, response, next) => {
    const { method } = request
    const requestId = readRequestId(request)
    response.locals.requestId = requestId
    response.locals.fields = { 'X-Request-Id': requestId }
    const sent = readTraceparent(request)
    const span = tracer && startSpan(tracer, request, sent)
    const traceparent = span?.traceparent ?? sent
    const current: CurrentRequest = { requestId, statements: 0, caller: null, traceparent }
    if (span)
      response.on('close', () => {
        const { statusCode: status } = response
        const route = routeTemplate(request)
        if (route !== null) span.rename(`${method} ${route}`)
        const routed = route !== null && { 'http.route': route, 'url.path': route }
        span.end({ 'http.response.status_code': status, ...routed }, status >= 500 ? String(status) : undefined)
      })
    if (log.isLevelEnabled('info')) {
      const startedAt = performance.now()
      response.on('close', () => {
        const { caller, statements } = current
        const milliseconds = Math.round(performance.now() - startedAt)
        const trace = traceparent === undefined ? {} : { traceId: getTraceId(traceparent) }
        const result = { method, route: routeTemplate(request), status: response.statusCode, milliseconds, statements }
        log.info({ requestId, ...trace, ...caller, ...result }, 'request completed')
      })
    }
    runWithRequest(current, span ? () => span.run(next) : next)
  }
}

/** Starts the span of a request. This is a function, because Express computes the protocol from the proxies that it trusts. */
const startSpan = (tracer: Tracer, { method, protocol, httpVersion }: Request, traceparent: string | undefined) =>
  tracer.startSpan(method, {
    kind: 'server',
    attributes: { 'http.request.method': method, 'url.scheme': protocol, 'network.protocol.version': httpVersion },
    traceparent,
  })
