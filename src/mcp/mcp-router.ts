import { Router } from 'express'
import type { Request, RequestHandler } from 'express'
import { z } from 'zod'
import { authenticateRequest } from '../../rest-facade/http/bearer.ts'
import { findProblem } from '../../rest-facade/http/find-problem.ts'
import { HttpError } from '../../rest-facade/http/http-error.ts'
import { readJson } from '../../rest-facade/http/json-body.ts'
import { domainProblem, statusByCode } from '../../rest-facade/http/problem.ts'
import { sendJson, sendProblem, sendSerialized } from '../../rest-facade/http/send.ts'
import { routes } from '../../rest-facade/routes/index.ts'
import type { FacadePorts } from '../../rest-facade/serve-route.ts'
import { isCancelled } from '../../schema/core/cancellation/cancellable-context.ts'
import { DomainError } from '../../schema/core/errors.ts'
import { observe } from '../../schema/core/observation/observation.ts'
import { oauthScopes } from '../../schema/core/scopes.ts'
import { text } from '../../schema/core/validation.ts'
import { readVersion } from '../config/version.ts'
import { allow } from '../http/allowed-methods.ts'
import type { RequestHead, Toolset } from './protocol.ts'
import { buildTools, isReadOnly, listTools } from './tools.ts'

const readRequirements = routes.filter(isReadOnly).flatMap(({ operation }) => operation.requirements)
const sufficientScopes = new Set(readRequirements.flatMap(({ scopes }) => scopes.slice(0, 1)))
/** The scopes that a client without a token requests first: those of the tools that only read. */
const readScopes = oauthScopes.filter((scope) => sufficientScopes.has(scope))

/** `/mcp` and `/mcp/readonly`: the REST routes as tools of the Model Context Protocol (docs/decisions/agents.md). Mount it at `/mcp`. */
export function createMcpRouter(ports: FacadePorts): Router {
  let loading: Promise<Loaded> | undefined
  const load = () => (loading ??= loadServer(ports.publicUrl))
  const router = Router({ caseSensitive: true })
  router
    .route('/')
    .all(allow('POST'))
    .post(serveTools('tools', ports, load))
  router
    .route('/readonly')
    .all(allow('POST'))
    .post(serveTools('readOnlyTools', ports, load))
  return router
}

type Loaded = Awaited<ReturnType<typeof loadServer>>

/** Loads the package and builds the tools, with the first request: the start needs neither them nor the classes of `fetch`. */
async function loadServer(publicUrl: string) {
  const { reply } = await import('./protocol.ts')
  const tools = buildTools(routes, publicUrl)
  const readOnlyTools = new Map([...tools].filter(([, { route }]) => isReadOnly(route)))
  return { reply, version: await readVersion(), tools, readOnlyTools }
}

/** Returns a handler that authenticates the caller and replies to a JSON-RPC message with all tools, or with those that only read. */
function serveTools(offered: 'tools' | 'readOnlyTools', ports: FacadePorts, load: () => Promise<Loaded>): RequestHandler {
  const challenge = { ...ports, resource: 'mcp', scopes: readScopes } as const

  return async (request, response) => {
    const { requestId, fields } = response.locals
    try {
      const [read] = await Promise.allSettled([readJson(request, response)])
      const team = read.status === 'fulfilled' ? findTeam(read.value) : null
      const principal = await authenticateRequest(request, ports.authenticate, 'mcp', team)
      Object.assign(fields, await ports.countRequest(principal))
      const context = ports.createContext(principal, requestId)
      if (read.status === 'rejected') throw read.reason
      const message = read.value
      if (Array.isArray(message)) throw new HttpError(400, 'The request body must be a single JSON-RPC message.')
      const { reply, version, [offered]: tools } = await load()
      const toolset: Toolset = {
        version,
        find: (name) => tools.get(name),
        list: () => listTools(tools.values(), context),
        call: async (tool, sent) => {
          try {
            return await tool.call(context, response, sent)
          } catch (error) {
            if (!isForModel(error)) throw error
            observe('refusal', { api: 'mcp', code: error.restCode })
            return { refusal: domainProblem(error, requestId, { ...challenge, credentialSent: true }).body }
          }
        },
      }
      const { status, type, body } = await reply(toHead(request), message, toolset)
      if (body === '') sendJson(response, status, undefined)
      else sendSerialized(response, status, body, type)
    } catch (error) {
      if (isCancelled(error)) return
      sendProblem(response, findProblem(error, request, requestId, challenge), 'mcp')
    }
  }
}

const call = z.object({ params: z.object({ arguments: z.object({ team_slug: text }) }) })

/** Returns the team that a message names, whose access is then loaded together with the credential. */
const findTeam = (message: unknown) => call.safeParse(message).data?.params.arguments.team_slug ?? null

/**
 * Returns true for a refusal that the model can act on, as a result of the call. The client has to act on a missing scope, by the challenge
 * of a 403, and the operator on a fault.
 */
const isForModel = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code !== 'insufficient_scope' && statusByCode[error.code] < 500

const toHead = ({ method, headers }: Request): RequestHead => ({ method, headers: { get: (name) => headers[name]?.toString() ?? null } })
