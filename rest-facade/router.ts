import { Router } from 'express'
import type { Request, Response } from 'express'
import type { Context, Principal } from '../schema/context.ts'
import { DomainError, asRefusal } from '../schema/errors.ts'
import { authorizeOperation, run } from '../schema/execute.ts'
import type { Page } from '../schema/pagination.ts'
import { parse } from '../schema/validation.ts'
import { authenticateRequest, isBearer } from './bearer.ts'
import type { Authenticate } from './bearer.ts'
import { readJson } from './body.ts'
import { envelope } from './envelope.ts'
import { HttpError } from './http-error.ts'
import { domainProblem, httpProblem } from './problem.ts'
import type { Problem } from './problem.ts'
import { acceptedScopes, statusesOf, successOf } from './responses.ts'
import type { Route } from './route.ts'
import { routes } from './routes/index.ts'
import { keptQuery } from './validation.ts'

/** What the façade needs from above. */
export interface FacadePorts {
  /** What a request shows → who it stands for, null where it opens nothing; may throw `unauthenticated` with a challenge of its own. */
  authenticate: Authenticate
  contextOf(principal: Principal, requestId: string): Context
  /** Public origin that addresses in answers begin with. */
  publicUrl: string
  realm: string
  /** Told of every fault, under the request's id. */
  report(error: unknown, requestId: string): void
  /** Throw where a route answers a status code it does not declare: for tests, so that the contract cannot lie. */
  strict: boolean
}

type Locals = { requestId: string }
type Exchange = { request: Request; response: Response<unknown, Locals> }

/** The documented routes, to be mounted at `/api`. */
export function createRestFacade(ports: FacadePorts): Router {
  const router = Router({ caseSensitive: true })
  for (const path of new Set(routes.map((route) => route.path))) {
    const served = routes.filter((route) => route.path === path)
    const expressPath = path.replace(/\{(\w+)\}/g, ':$1')
    for (const route of served) {
      const serve = serverOf(route, ports)
      router[route.method](expressPath, (request, response) => serve({ request, response: response as Response<unknown, Locals> }))
    }
    const allow = served.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])).join(', ')
    router.all(expressPath, (_, response) => refuse(response, 405, { Allow: allow }))
  }
  router.use('/v1', (_, response) => refuse(response, 404))
  return router
}

/** A refusal that no operation gives: no scope would have been enough. */
function refuse(response: Response, status: 404 | 405, headers: Problem['headers'] = {}): void {
  setScopes(response, '', null)
  sendProblem(response, { ...httpProblem(status, (response.locals as Locals).requestId), headers })
}

function serverOf(route: Route, ports: FacadePorts) {
  const success = successOf(route)
  const declared = new Set(statusesOf(route))
  const accepted = acceptedScopes(route).join(', ')
  const answer = answerer(route, ports.publicUrl)

  return async ({ request, response }: Exchange): Promise<void> => {
    const { requestId } = response.locals
    let principal: Principal | null = null
    try {
      principal = await authenticateRequest(request, ports.authenticate)
      const input = await readInput(route, request, response, ports.contextOf(principal, requestId))
      const data = await run(route.operation, route.toVariables(input.values), input.context)
      setScopes(response, accepted, principal)
      send(response, success, answer(data, request, input.query))
    } catch (error) {
      const problem = problemOf(error, request, requestId, ports)
      if (ports.strict && !declared.has(problem.status))
        throw new Error(`${route.operationId} does not declare ${problem.status}`, { cause: error })
      setScopes(response, accepted, principal)
      sendProblem(response, problem)
    }
  }
}

/** Everything a request says, judged in the order of decisions §1: team, scope and role before body and parameters. */
async function readInput(route: Route, request: Request, response: Response, context: Context) {
  const parameters = request.params as Record<string, string>
  await authorizeOperation(route.operation, context, parameters.teamSlug ?? null)
  const body = route.body ? parse(route.body, await readJson(request, response)) : {}
  const query = route.readQuery(searchOf(request.originalUrl))
  const values = { ...parameters, ...(route.query ? parse(route.query, query) : {}), ...body }
  return { context, query, values }
}

const searchOf = (url: string) => {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark + 1)
}

type Answerer = (data: Record<string, unknown>, request: Request, query: Record<string, unknown>) => unknown

function answerer({ answer, path }: Route, publicUrl: string): Answerer {
  const template = `${publicUrl}/api${path}`
  if (answer.kind === 'empty') return () => undefined
  const names = answer.at.split('.')
  const find = (data: Record<string, unknown>) => names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], data)
  if (answer.kind === 'resource') return find
  if (answer.kind === 'list') return (data) => ({ data: find(data) })
  return (data, { params }, query) => {
    // Made of the declaration, not of the request's target: that may name another host (RFC 9112 §3.2.2).
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
    return envelope(find(data) as Page<unknown>, path, keptQuery(query))
  }
}

function problemOf(error: unknown, request: Request, requestId: string, { realm, report }: FacadePorts): Problem {
  const cause = asRefusal(error)
  if (cause instanceof HttpError) return httpProblem(cause.status, requestId, cause.message || undefined)
  if (cause instanceof DomainError) {
    if (cause.code === 'unavailable') report(error, requestId)
    return domainProblem(cause, requestId, { realm, credentialSent: isBearer(request.headers.authorization) })
  }
  report(error, requestId)
  return httpProblem(500, requestId)
}

function setScopes(response: Response, accepted: string, principal: Principal | null): void {
  response.setHeader('X-Accepted-Scopes', accepted)
  response.setHeader('X-Granted-Scopes', principal && principal.kind !== 'operator' ? [...principal.scopes].join(', ') : '')
}

/** Answers a problem as JSON; the app uses it for what no route is asked for. */
export function sendProblem(response: Response, { status, headers, body }: Problem): void {
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
  send(response, status, body)
}

// Written at once, header and body in one string, and without Express's ETag, which would cost as much as all the rest
// of this file.
function send(response: Response, status: number, body: unknown): void {
  if (body === undefined) {
    response.writeHead(status).end()
    return
  }
  const text = JSON.stringify(body)
  response.writeHead(status, { ...jsonHeaders, 'Content-Length': Buffer.byteLength(text) }).end(text)
}

// What is answered is about somebody and true for this moment: nobody keeps it, and nobody takes it for another type.
const jsonHeaders = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }
