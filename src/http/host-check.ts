import type { RequestHandler } from 'express'
import { httpProblem } from '../../rest-facade/http/problem.ts'
import { sendProblem } from '../../rest-facade/http/send.ts'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses requests whose `Host` is not one of the configured public origins with 421, so that no URL in a response or mail
 * depends on the request (docs/decisions/oauth.md#host-check). If a public origin is a loopback name, all loopback names are
 * accepted: they always mean this machine.
 */
export function checkHost(origins: readonly string[]): RequestHandler {
  const hosts = new Set(origins.flatMap(listHosts))
  return (request, response, next) => {
    // A request target in absolute form contains a host of its own (RFC 9112 §3.2.2). Only proxies need it, so it is refused.
    const isKnown = request.url.startsWith('/') && (hosts.has(request.headers.host ?? '') || hosts.has(request.host?.toLowerCase() ?? ''))
    if (isKnown) next()
    // Required by RFC 9112 §3.2.
    else if (request.headers.host === undefined && request.httpVersion === '1.1')
      sendProblem(response, httpProblem(400, response.locals.requestId, 'Bad Request.'))
    else sendProblem(response, httpProblem(421, response.locals.requestId))
  }
}

function listHosts(origin: string): string[] {
  const { host, hostname, port, protocol } = new URL(origin)
  const names = loopbackNames.includes(hostname) ? loopbackNames.map((name) => (port ? `${name}:${port}` : name)) : [host]
  const defaultPort = protocol === 'https:' ? 443 : 80
  return port ? names : names.flatMap((name) => [name, `${name}:${defaultPort}`])
}
