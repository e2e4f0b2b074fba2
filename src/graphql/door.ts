import { Router } from 'express'
import type { Request, RequestHandler, Response } from 'express'
import { GraphQLError, parse } from 'graphql'
import { createYoga } from 'graphql-yoga'
import type { Plugin } from 'graphql-yoga'
import { bearerToken, isBearer } from '../../rest-facade/bearer.ts'
import { readJson } from '../../rest-facade/body.ts'
import { HttpError } from '../../rest-facade/http-error.ts'
import { domainProblem, httpProblem } from '../../rest-facade/problem.ts'
import type { FacadePorts } from '../../rest-facade/router.ts'
import type { Context, Principal } from '../../schema/context.ts'
import { DomainError, asRefusal, unauthenticated } from '../../schema/errors.ts'
import { execute } from '../../schema/execute.ts'
import { schema } from '../../schema/index.ts'
import { serveGraphiql } from './graphiql.ts'
import { mostTokens, refuseCostly } from './limits.ts'

type Ports = Pick<FacadePorts, 'authenticate' | 'contextOf' | 'realm' | 'report'>
/** What the door knows of an exchange before GraphQL begins. */
interface Exchange {
  principal: Principal
  requestId: string
}

/** `/graphql`: the schema for dashboards and developers, with the credentials and refusals that REST has. */
export function createGraphqlDoor(ports: Ports): Router {
  const yoga = createYoga<Exchange, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    // Called for each operation; the exchange is what the handler below passes.
    context: ({ principal, requestId }) => ports.contextOf(principal, requestId),
    maskedErrors: { maskError: (error) => masked(error, ports) },
    plugins: [limits],
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
  })
  const router = Router({ caseSensitive: true })
  serveGraphiql(router)
  router.use('/', answer(yoga as unknown as Handler, ports))
  return router
}

type Handler = (request: Request, response: Response, exchange: Exchange) => Promise<void>

/** Who asks is settled first: for strangers nothing is parsed, validated or introspected. */
const answer =
  (handle: Handler, { authenticate, realm, report }: Ports): RequestHandler =>
  async (request, response) => {
    const { requestId } = response.locals as { requestId: string }
    try {
      const token = bearerToken(request.headers.authorization)
      const principal = token === null ? null : await authenticate(token)
      if (!principal) throw unauthenticated()
      // Forms and multipart, which yoga would read, are what a foreign page can make a browser send.
      if (request.method === 'POST') request.body = await readJson(request, response)
      request.url = request.originalUrl
      await handle(request, response, { principal, requestId })
    } catch (error) {
      const cause = asRefusal(error)
      const isRefusal = cause instanceof DomainError && cause.code !== 'unavailable'
      if (!isRefusal && !(cause instanceof HttpError)) report(error, requestId)
      const { status, headers, body } =
        cause instanceof DomainError
          ? domainProblem(cause, requestId, { realm, credentialSent: isBearer(request.headers.authorization) })
          : httpProblem(cause instanceof HttpError ? cause.status : 500, requestId)
      const { message, ...extensions } = body
      response
        .status(status)
        .set(headers)
        .json({ errors: [{ message, extensions }] })
    }
  }

const limits: Plugin<Context> = {
  onParse: ({ setParseFn }) => setParseFn((source: string) => parse(source, { maxTokens: mostTokens })),
  onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
    const tooCostly = refuseCostly(args.document, args.variableValues ?? {}, args.contextValue)
    if (tooCostly) return setResultAndStopExecution({ errors: [tooCostly] })
    setExecuteFn(({ document, variableValues, operationName }) => execute(document, variableValues ?? {}, args.contextValue, operationName))
  },
}

/** A refusal as its code says; what GraphQL itself finds wrong as it is; a fault without a word of its own. */
function masked(error: unknown, { report }: Ports): Error {
  if (!(error instanceof GraphQLError)) return masked(new GraphQLError('', { originalError: error as Error }), { report } as Ports)
  const { originalError, path, nodes } = error
  if (!originalError || originalError instanceof GraphQLError) return error
  const cause = asRefusal(originalError)
  if (!(cause instanceof DomainError) || cause.code === 'unavailable') report(originalError, '')
  if (!(cause instanceof DomainError)) return new GraphQLError('Server Error', { path, nodes, extensions: { code: 'server_error' } })
  const http = cause.code === 'unavailable' && {
    http: { status: 503, headers: { 'Retry-After': String(cause.details.retryAfterSeconds ?? 1) } },
  }
  return new GraphQLError(cause.message, { path, nodes, extensions: { ...cause.extensions, ...http } })
}
