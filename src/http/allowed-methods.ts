import type { RequestHandler } from 'express'
import { httpProblem } from '../../rest-facade/http/problem.ts'
import { sendProblem } from '../../rest-facade/http/send.ts'

/** Passes on requests with these methods, HEAD along with GET, and OPTIONS (Fetch §4.8). Others get 405 with `Allow`. */
export function allow(...methods: readonly string[]): RequestHandler {
  const allowed = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return ({ method }, response, next) => {
    if (allowed.includes(method) || method === 'OPTIONS') return next()
    sendProblem(response, { ...httpProblem(405, response.locals.requestId), headers: { Allow: allowed.join(', ') } })
  }
}
