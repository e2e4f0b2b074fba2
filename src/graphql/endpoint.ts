import { Router } from 'express'
import type { Request, RequestHandler, Response } from 'express'
import { isBearer } from '../../rest-facade/http/bearer.ts'
import { HttpError } from '../../rest-facade/http/http-error.ts'
import { domainProblem, httpProblem } from '../../rest-facade/http/problem.ts'
import type { FacadePorts } from '../../rest-facade/serve-route.ts'
import { isCancelled } from '../../schema/core/cancellation/cancellable-context.ts'
import type { Subscription } from '../../schema/core/cancellation/subscription.ts'
import type { Context } from '../../schema/core/context.ts'
import { DomainError, asRefusal } from '../../schema/core/errors.ts'
import { observe } from '../../schema/core/observation/observation.ts'
import { authenticateCaller } from './authenticate-caller.ts'
import type { AuthenticationPorts } from './authenticate-caller.ts'
import { createDocumentCache } from './documents/document-cache.ts'
import { serveSchema } from './documents/introspection-queries.ts'
import { readTrustedDocuments } from './documents/trusted-documents.ts'
import { serveGraphiql } from './graphiql.ts'
import { costOfRefusal, newBudget } from './limits.ts'
import { readParameters } from './parameters.ts'
import { createOpenStreams } from './open-streams.ts'
import { findSubscription, serveSubscription } from './subscription.ts'
import type { RequestedSubscription } from './subscription.ts'
import type { RequestState, YogaHandler } from './yoga.ts'

interface Ports extends Pick<FacadePorts, 'createContext' | 'countRequest' | 'publicUrl' | 'report'>, AuthenticationPorts {
  watchTeam: Subscription<Context>['watchTeam']
  /** Milliseconds between the comments of an event stream. */
  intervalMilliseconds: number
  now(): Date
  /** File of a manifest. Only its documents are executed. */
  trustedDocuments: string | undefined
}

/** `/graphql`, with the credentials and error bodies of the REST API, and GraphiQL. `endStreams` ends its event streams. */
export function createGraphqlEndpoint(ports: Ports): { router: Router; endStreams(): void } {
  const documents = createDocumentCache()
  const streams = createOpenStreams()
  const clientDocuments = ports.trustedDocuments === undefined ? documents : readTrustedDocuments(ports.trustedDocuments)
  // The module is loaded with the first request, because yoga loads Node's fetch, which the start does not need.
  let yoga: Promise<YogaHandler> | undefined
  const router = Router({ caseSensitive: true })
  // The service would refuse all queries that users write in GraphiQL.
  if (!clientDocuments.isTrustedOnly) serveGraphiql(router, ports.now)
  serveSchema(router)
  router.all(
    '/',
    handleWith(async (request, response, caller) => {
      const accept = acceptedRanges(request.headers.accept)
      if (accept === null) throw new HttpError(406)
      request.headers.accept = accept
      const parameters = await readParameters(request, response, clientDocuments)
      if (Array.isArray(parameters)) response.set(await ports.countRequest(caller.principal, parameters.length, 1))
      const requested = findSubscription(request, parameters, documents)
      if (requested) return follow(requested, request, response, ports.createContext(caller.principal, caller.requestId))
      response.locals.operationType = 'query'
      yoga ??= import('./yoga.ts').then(({ createYogaHandler }) => createYogaHandler(ports, documents, clientDocuments))
      return (await yoga)(request, response, { ...caller, parameters, budget: newBudget(), response })
    }, ports),
  )
  async function follow(requested: RequestedSubscription, request: Request, response: Response, context: Context): Promise<void> {
    response.locals.operationType = 'subscription'
    const controller = streams.open(context.principal)
    response.once('close', () => controller.abort())
    const renew = async () => ports.createContext(await authenticateCaller(request, response, ports, 'repeated'), context.requestId)
    const lastEventId = request.get('last-event-id') ?? null
    const subscription = { signal: controller.signal, lastEventId, renew, watchTeam: ports.watchTeam }
    await serveSubscription(requested, response, { ...ports, context, subscription }).finally(() => controller.abort())
  }
  return { router, endStreams: streams.end }
}

type Handler = (request: Request, response: Response, caller: Pick<RequestState, 'principal' | 'requestId'>) => Promise<void>

/** Authenticates before it parses, validates or introspects anything. Unauthenticated callers get 401. */
const handleWith =
  (handle: Handler, ports: Ports): RequestHandler =>
  async (request, response) => {
    const { publicUrl, report } = ports
    const { requestId } = response.locals
    // Like REST responses, these are not cached and not interpreted as another type.
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    try {
      const principal = await authenticateCaller(request, response, ports)
      response.set(await ports.countRequest(principal))
      request.url = request.originalUrl
      await handle(request, response, { principal, requestId })
    } catch (error) {
      const cause = asRefusal(error)
      if (isCancelled(cause)) return
      // A refusal, such as of a stream while the process stops, is not converted from an error of the database.
      const isRefusal = error instanceof DomainError
      if (!isRefusal && !(cause instanceof HttpError)) report(error, requestId)
      const { status, headers, body } =
        cause instanceof DomainError
          ? domainProblem(cause, requestId, { publicUrl, resource: 'graphql', credentialSent: isBearer(request.headers.authorization) })
          : cause instanceof HttpError
            ? httpProblem(cause.status, requestId, cause.message || undefined)
            : httpProblem(500, requestId)
      observe('refusal', { api: 'graphql', code: String(body.code) })
      const { message, ...extensions } = cause instanceof DomainError ? { ...body, code: cause.code } : body
      response
        .status(status)
        .set(headers)
        .json({ errors: [{ message, extensions }], extensions: { cost: costOfRefusal([], newBudget()) } })
    }
  }

const responseTypes = ['application/graphql-response+json', 'application/json', 'text/event-stream', 'multipart/mixed']

/**
 * Returns the ranges of an `Accept` header field with which yoga can respond, in yoga's spelling; null if there is none. Yoga itself
 * compares them only after it has executed the operation, and then discards the result, even of a mutation. It supports no other spelling
 * of UTF-8 than `charset=utf-8`, while clients also quote the value (RFC 9110 §5.6.6) or omit the hyphen.
 */
function acceptedRanges(accept: string | undefined): string | null {
  const ranges = (accept || '*/*').replaceAll(/\s/g, '').toLowerCase().split(',')
  const accepted = ranges
    .map((range) => range.split(';').map((part) => (/^charset=("?)utf-?8\1$/.test(part) ? 'charset=utf-8' : part)))
    .filter(([mediaType, ...parameters]) => {
      const charset = parameters.find((parameter) => parameter.includes('charset='))
      return (charset === undefined || charset === 'charset=utf-8') && responseTypes.some((type) => listRanges(type).includes(mediaType))
    })
  return accepted.length === 0 ? null : accepted.map((parts) => parts.join(';')).join(',')
}

const listRanges = (type: string): (string | undefined)[] => [type, `${type.split('/')[0]}/*`, '*/*']
