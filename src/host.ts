import type { RequestHandler } from 'express'
import { httpProblem } from '../rest-facade/problem.ts'
import { sendProblem } from '../rest-facade/router.ts'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/**
 * Answers 421 to a request for another host than those the service is addressed by, so that no address in an answer
 * or mail ever follows a request (decisions §8). Where it is addressed by a name of the loopback interface, all of
 * its names do: they cannot be anybody else's.
 */
export function knownHost(origins: readonly string[]): RequestHandler {
  const hosts = new Set(origins.flatMap(hostsOf))
  return (request, response, next) => {
    // A target in absolute form names its host itself (RFC 9112 §3.2.2): no client of ours sends one, so none is known.
    const isKnown = request.url.startsWith('/') && (hosts.has(request.headers.host ?? '') || hosts.has(request.host?.toLowerCase() ?? ''))
    if (isKnown) next()
    else sendProblem(response, httpProblem(421, response.locals.requestId as string))
  }
}

function hostsOf(origin: string): string[] {
  const { host, hostname, port, protocol } = new URL(origin)
  const names = loopbackNames.includes(hostname) ? loopbackNames.map((name) => (port ? `${name}:${port}` : name)) : [host]
  const defaultPort = protocol === 'https:' ? 443 : 80
  return port ? names : names.flatMap((name) => [name, `${name}:${defaultPort}`])
}
