import { Router } from 'express'
import type { Response } from 'express'
import { httpProblem } from './http/problem.ts'
import type { Problem } from './http/problem.ts'
import { sendProblem } from './http/send.ts'
import type { Route } from './route.ts'
import { serveRoute } from './serve-route.ts'
import type { FacadePorts } from './serve-route.ts'

/** Creates a router for the documented routes. Mount it at `/api`. */
export function createRestFacade(routes: readonly Route[], ports: FacadePorts): Router {
  const router = Router({ caseSensitive: true })
  for (const path of new Set(routes.map((route) => route.path))) {
    const routesOfPath = routes.filter((route) => route.path === path)
    const expressPath = path.replace(/\{(\w+)\}/g, ':$1')
    for (const route of routesOfPath) router[route.method](expressPath, serveRoute(route, ports))
    const allow = routesOfPath.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ')
    router.all(expressPath, (_, response) => refuse(response, 405, { Allow: allow }))
  }
  router.use('/v1', (_, response) => refuse(response, 404))
  return router
}

/** Responds to a request without a route. No credential is read. */
function refuse(response: Response, status: 404 | 405, headers: Problem['headers'] = {}): void {
  sendProblem(response, { ...httpProblem(status, response.locals.requestId), headers })
}
