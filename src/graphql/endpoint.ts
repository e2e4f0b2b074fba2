import { Router } from 'express'
import type { Request, RequestHandler, Response } from 'express'
import { GraphQLError, parse } from 'graphql'
import type { ExecutionResult } from 'graphql'
import { createYoga, isAsyncIterable } from 'graphql-yoga'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import { isBearer } from '../../rest-facade/http/bearer.ts'
import { HttpError } from '../../rest-facade/http/http-error.ts'
import { domainProblem, httpProblem } from '../../rest-facade/http/problem.ts'
import type { FacadePorts } from '../../rest-facade/serve-route.ts'
import type { Context, Principal } from '../../schema/core/context.ts'
import { DomainError, asRefusal } from '../../schema/core/errors.ts'
import { execute } from '../../schema/execute.ts'
import { schema } from '../../schema/index.ts'
import { createDocumentCache } from './document-cache.ts'
import type { DocumentCache } from './document-cache.ts'
import { publicError } from './errors.ts'
import { serveGraphiql } from './graphiql.ts'
import { executeIntrospection, isIntrospection, serveSchema } from './introspection.ts'
import { charge, introspectionWithoutAliases, maxTokens, newBudget } from './limits.ts'
import type { Budget } from './limits.ts'
import { maxBatch, readParameters } from './parameters.ts'
import { unknownPersistedQuery } from './persisted-queries.ts'
import { executeRepeatedQuery } from './repeated-query.ts'
import { authenticateCaller } from './authenticate.ts'
import type { AuthenticationPorts } from './authenticate.ts'

type Ports = Pick<FacadePorts, 'contextOf' | 'countRequest' | 'realm' | 'report'> & AuthenticationPorts
/** What is known about a request before yoga handles it. */
interface RequestState {
  principal: Principal
  requestId: string
  /** The parsed parameters, which yoga validates. */
  parameters: unknown
  /** What the documents of this request may cost. */
  budget: Budget
}

/** `/graphql`, with the credentials and error bodies of the REST API, and GraphiQL. */
export function createGraphqlEndpoint(ports: Ports): Router {
  const documents = createDocumentCache()
  const yoga = createYoga<RequestState, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    // Called once for each operation, with the state that `handleWith` passes.
    context: ({ principal, requestId }) => ports.contextOf(principal, requestId),
    // Our plugin masks errors, because it knows the request id.
    maskedErrors: false,
    parserAndValidationCache: { documentCache: documents, errorCache: noCache },
    plugins: [requestState(ports), unknownPersistedQuery, limits(documents)],
    batching: { limit: maxBatch },
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
  })
  const router = Router({ caseSensitive: true })
  serveGraphiql(router)
  serveSchema(router)
  router.all(
    '/',
    handleWith(async (request, response, caller) => {
      const parameters = await readParameters(request, response, documents)
      const state = { ...caller, parameters, budget: newBudget() }
      const context = ports.contextOf(state.principal, state.requestId)
      const result = await executeRepeatedQuery(request, state.parameters, documents, context)
      if (result === null) return yoga.handle(request, response, state)
      const headers = { 'Content-Type': `${result.mediaType}; charset=utf-8`, 'Content-Length': Buffer.byteLength(result.text) }
      response.writeHead(200, headers).end(result.text)
    }, ports),
  )
  return router
}

type Handler = (request: Request, response: Response, caller: Pick<RequestState, 'principal' | 'requestId'>) => Promise<void>

/** Authenticates before it parses, validates or introspects anything. Unauthenticated callers get 401. */
const handleWith =
  (handle: Handler, ports: Ports): RequestHandler =>
  async (request, response) => {
    const { realm, report } = ports
    const { requestId } = response.locals
    // As REST responses: not cached, and not interpreted as another type.
    response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
    try {
      const principal = await authenticateCaller(request, response, ports)
      response.set(await ports.countRequest(principal))
      request.url = request.originalUrl
      await handle(request, response, { principal, requestId })
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
      const { message, ...extensions } = cause instanceof DomainError ? { ...body, code: cause.code } : body
      response
        .status(status)
        .set(headers)
        .json({ errors: [{ message, extensions }] })
    }
  }

/** Passes the parsed parameters to yoga, and masks the errors of its result. */
const requestState = ({ report }: Ports): Plugin<object, RequestState> => ({
  onRequestParse: ({ serverContext, setRequestParser }) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- yoga validates the parameters after parsing them
    setRequestParser(() => serverContext.parameters as GraphQLParams),
  // Called once for the results of all operations in the request.
  onResultProcess({ result, serverContext: { requestId }, setResult }) {
    const publish = (one: ExecutionResult) =>
      one.errors ? { ...one, errors: one.errors.map((error) => publicError(error, requestId, report)) } : one
    if (Array.isArray(result)) setResult(result.map(publish))
    else if (!isAsyncIterable(result)) setResult(publish(result))
  },
})

/** Documents that do not parse are not cached: parsing them again costs less than the memory. */
const noCache = { get: () => undefined, set: () => undefined }

const limits = (documents: DocumentCache): Plugin<Context & { params: GraphQLParams; budget: Budget }> => ({
  onParse: ({ setParseFn }) => setParseFn((source: string) => parse(source, { maxTokens })),
  onValidate: ({ addValidationRule }) => addValidationRule(introspectionWithoutAliases),
  async onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
    const cost = await charge(args.document, args.variableValues ?? {}, args.contextValue, args.contextValue.budget)
    if (cost instanceof GraphQLError) return setResultAndStopExecution({ errors: [cost] })
    documents.countExecution(args.contextValue.params.query ?? '')
    const executeDocument = isIntrospection(args.document) ? executeIntrospection : execute
    setExecuteFn(({ document, variableValues, operationName }) =>
      executeDocument(document, variableValues ?? {}, args.contextValue, operationName),
    )
    return {
      onExecuteDone({ result, setResult }) {
        if (!isAsyncIterable(result)) setResult({ ...result, extensions: { cost } })
      },
    }
  },
})
