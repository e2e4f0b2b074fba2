import type { RequestHandler } from 'express'
import { httpProblem } from '../rest-facade/problem.ts'
import { sendProblem } from '../rest-facade/router.ts'

/** Lets these methods through, HEAD with GET and a preflight (Fetch §4.8) too; any other is 405 with `Allow`. */
export function allow(...methods: readonly string[]): RequestHandler {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return ({ method }, response, next) => {
    if (allowed.includes(method) || method === 'OPTIONS') return next()
    response.setHeader('Allow', allowed.join(', '))
    sendProblem(response, httpProblem(405, response.locals['requestId'] as string))
  }
}
