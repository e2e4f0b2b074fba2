import { Router } from 'express'
import type { Request, RequestHandler, Response } from 'express'
import { parse } from 'graphql'
import { createYoga } from 'graphql-yoga'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { isBearer } from '../../rest-facade/bearer.ts'
import { HttpError } from '../../rest-facade/http-error.ts'
import { domainProblem, httpProblem } from '../../rest-facade/problem.ts'
import type { FacadePorts } from '../../rest-facade/router.ts'
import type { Context, Principal } from '../../schema/context.ts'
import { DomainError, asRefusal } from '../../schema/errors.ts'
import { execute } from '../../schema/execute.ts'
import { schema } from '../../schema/index.ts'
import { createDocumentCache } from './document-cache.ts'
import { toldError } from './errors.ts'
import { serveGraphiql } from './graphiql.ts'
import { introspectionWithoutAliases, mostTokens, refuseCostly } from './limits.ts'
import { readParameters } from './parameters.ts'
import { whoAsks } from './who-asks.ts'
import type { WhoAsksPorts } from './who-asks.ts'

type Ports = Pick<FacadePorts, 'contextOf' | 'realm' | 'report'> & WhoAsksPorts
/** What the door knows of an exchange before GraphQL begins. */
interface Exchange {
  principal: Principal
  requestId: string
  /** The request's parameters, read but not judged yet. */
  parameters: unknown
}

/** `/graphql`: the schema for dashboards and developers, with the credentials and refusals that REST has, and GraphiQL's session. */
export function createGraphqlDoor(ports: Ports): Router {
  const yoga = createYoga<Exchange, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    // Called for each operation; the exchange is what the handler below passes.
    context: ({ principal, requestId }) => ports.contextOf(principal, requestId),
    // Errors are told by our own plugin, which knows the request.
    maskedErrors: false,
    parserAndValidationCache: { documentCache: createDocumentCache(), errorCache: nothingKept },
    plugins: [exchanging(ports), limits],
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
  })
  const router = Router({ caseSensitive: true })
  serveGraphiql(router)
  router.all('/', answer(yoga as unknown as Handler, ports))
  return router
}

type Handler = (request: Request, response: Response, exchange: Exchange) => Promise<void>

/** Who asks is settled first: for strangers nothing is parsed, validated or introspected. */
const answer =
  (handle: Handler, ports: Ports): RequestHandler =>
  async (request, response) => {
    const { realm, report } = ports
    const { requestId } = response.locals as { requestId: string }
    // As with REST: kept by nobody, taken for no other type.
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    try {
      const principal = await whoAsks(request, response, ports)
      const parameters = await readParameters(request, response)
      request.url = request.originalUrl
      await handle(request, response, { principal, requestId, parameters })
    } catch (error) {
      const cause = asRefusal(error)
      const isRefusal = cause instanceof DomainError && cause.code !== 'unavailable'
      if (!isRefusal && !(cause instanceof HttpError)) report(error, requestId)
      const { status, headers, body } =
        cause instanceof DomainError
          ? domainProblem(cause, requestId, { realm, credentialSent: isBearer(request.headers.authorization) })
          : cause instanceof HttpError
            ? httpProblem(cause.status, requestId, cause.message || undefined)
            : httpProblem(500, requestId)
      const { message, ...extensions } = body
      response
        .status(status)
        .set(headers)
        .json({ errors: [{ message, extensions }] })
    }
  }

/** What yoga is told of the exchange, and the exchange of its errors. */
const exchanging = ({ report }: Ports): Plugin<object, Exchange> => ({
  onRequestParse: ({ serverContext, setRequestParser }) => setRequestParser(() => serverContext.parameters as GraphQLParams),
  onResultProcess({ result, serverContext: { requestId }, setResult }) {
    if (Array.isArray(result) || !('errors' in result) || !result.errors) return
    setResult({ ...result, errors: result.errors.map((error) => toldError(error, requestId, report)) })
  },
})

/** A text that does not parse costs less to parse again than to keep. */
const nothingKept = { get: () => undefined, set: () => undefined }

const limits: Plugin<Context> = {
  onParse: ({ setParseFn }) => setParseFn((source: string) => parse(source, { maxTokens: mostTokens })),
  onValidate: ({ addValidationRule }) => addValidationRule(introspectionWithoutAliases),
  onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
    const tooCostly = refuseCostly(args.document, args.variableValues ?? {}, args.contextValue)
    if (tooCostly) return setResultAndStopExecution({ errors: [tooCostly] })
    setExecuteFn(({ document, variableValues, operationName }) => execute(document, variableValues ?? {}, args.contextValue, operationName))
  },
}
