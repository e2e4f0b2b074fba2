import { setImmediate } from 'node:timers/promises'
import type { Request, Response } from 'express'
import { GraphQLError, OperationTypeNode, getOperationAST } from 'graphql'
import type { ExecutionResult } from 'graphql'
import { createYoga, isAsyncIterable } from 'graphql-yoga'
import type { GraphQLParams, Plugin } from 'graphql-yoga'
import type { FacadePorts } from '../../rest-facade/serve-route.ts'
import { cancellableContext } from '../../schema/core/cancellation/cancellable-context.ts'
import type { Context } from '../../schema/core/context.ts'
import type { Principal } from '../../schema/core/principals.ts'
import { execute } from '../../schema/execute.ts'
import { schema } from '../../schema/index.ts'
import type { DocumentCache } from './documents/document-cache.ts'
import { introspectionRules } from './documents/introspection-rules.ts'
import { executeIntrospection, isIntrospection } from './documents/introspection-queries.ts'
import { parseDocument } from './documents/parse-document.ts'
import { unknownPersistedQuery } from './documents/persisted-queries.ts'
import type { ClientDocuments } from './documents/persisted-queries.ts'
import { validateDocument } from './documents/validate-document.ts'
import { publicError } from './errors.ts'
import { charge, costOfRefusal } from './limits.ts'
import type { Budget } from './limits.ts'
import { maxBatch } from './parameters.ts'
import { isRecord } from '../../schema/core/record.ts'

/** Data about a request before yoga handles it. */
export interface RequestState {
  principal: Principal
  requestId: string
  /** The parsed parameters, which yoga validates. */
  parameters: unknown
  /** Remaining cost for the documents of this request. */
  budget: Budget
  /** Resolves when the last document of a batch that yoga has begun to handle starts. */
  lastTurn?: Promise<void>
  response: Response
}

type Ports = Pick<FacadePorts, 'createContext' | 'report'>
/** Executes the operations of a request and responds. */
export type YogaHandler = (request: Request, response: Response, state: RequestState) => Promise<void>

/** GraphQL Yoga, which executes everything but subscriptions. */
export function createYogaHandler(ports: Ports, documents: DocumentCache, clientDocuments: ClientDocuments): YogaHandler {
  const yoga = createYoga<RequestState, Context>({
    schema,
    graphqlEndpoint: '/graphql',
    // Called once for each operation, with the state that `handleWith` passes.
    context: ({ principal, requestId }) => ({ ...ports.createContext(principal, requestId), refusalsInPayload: true }),
    // Our plugin masks errors, because it has the request id.
    maskedErrors: false,
    parserAndValidationCache: { documentCache: documents, errorCache: noCache },
    plugins: [requestState(ports), separateTurns, unknownPersistedQuery(clientDocuments), limits, withoutSubscriptions],
    batching: { limit: maxBatch },
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
  })
  const { Request: FetchRequest } = yoga.fetchAPI
  // Yoga's own conversion of Node's requests and responses takes a sixth of the time of a page. Its request needs neither a body, which is
  // parsed already, nor a signal, because `cancellableContext` cancels the statements.
  return async ({ url, method, headers }, response, state) => {
    const request = new FetchRequest(`http://localhost${url}`, { method, headers: Object.entries(headers).map(toFetchHeader) })
    const result = await yoga.handleRequest(request, state)
    response.status(result.status).setHeaders(result.headers)
    response.end(await result.text())
  }
}

const toFetchHeader = ([name, value = '']: [string, string | string[] | undefined]): [string, string] => [name, String(value)]

/** Passes the parsed parameters to yoga, masks the errors of its result, and adds the cost of a refused document. */
const requestState = ({ report }: Ports): Plugin<object, RequestState> => ({
  onRequestParse: ({ serverContext, setRequestParser }) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- yoga validates the parameters after parsing them
    setRequestParser(() => serverContext.parameters as GraphQLParams),
  // Called once for the results of all operations in the request.
  onResultProcess({ result, serverContext: { requestId, budget }, setResult }) {
    const publish = ({ errors, extensions, ...data }: ExecutionResult) => ({
      ...data,
      ...(errors && { errors: errors.map((error) => publicError(error, requestId, report)) }),
      extensions: extensions ?? { cost: costOfRefusal(errors, budget) },
    })
    if (Array.isArray(result)) setResult(result.map(publish))
    else if (!isAsyncIterable(result)) setResult(publish(result))
  },
})

/**
 * Starts each document of a batch in a turn of its own, between which the process serves other requests. Parsing, validation and the start
 * of the execution are not interrupted. The documents are charged in their order.
 */
const separateTurns: Plugin<object, RequestState> = {
  async onParams({ context }) {
    if (!Array.isArray(context.parameters)) return
    context.lastTurn = (context.lastTurn ?? Promise.resolve()).then(() => setImmediate())
    await context.lastTurn
  },
}

/** Yoga would send the events of a subscription in one response, or as multipart. */
const withoutSubscriptions: Plugin = {
  onSubscribe({ setResultAndStopExecution }) {
    const extensions = { code: 'not_acceptable', http: { status: 406 } }
    setResultAndStopExecution({
      errors: [new GraphQLError('A subscription needs Accept: text/event-stream, and a request of its own.', { extensions })],
    })
  },
}

/** Cost from which a result can be a list of thousands, such as the export of the audit log. */
const longResultCost = 20_000

/** Documents that do not parse are not cached: parsing them again costs less than the memory. */
const noCache = { get: () => undefined, set: () => undefined }

const limits: Plugin<Context & { budget: Budget; response: Response }> = {
  onParse: ({ setParseFn }) => setParseFn(parseDocument),
  onValidate({ addValidationRule, setValidationFn }) {
    for (const rule of introspectionRules) addValidationRule(rule)
    setValidationFn(validateDocument)
  },
  async onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
    const { document: requested, operationName: name, variableValues: variables = {}, contextValue } = args
    const cost = await charge({ document: requested, operationName: name, variables }, contextValue, contextValue.budget)
    if (cost instanceof GraphQLError) return setResultAndStopExecution({ errors: [cost] })
    const operation = getOperationAST(requested, name)?.operation
    if (operation) contextValue.response.locals.operationType = operation
    // A mutation runs to its end, because its client cannot know its progress.
    const context = operation === OperationTypeNode.QUERY ? cancellableContext(contextValue, contextValue.response) : contextValue
    const executeDocument = isIntrospection(requested) ? executeIntrospection : execute
    setExecuteFn(({ document, variableValues, operationName }) => executeDocument(document, variableValues ?? {}, context, operationName))
    return {
      async onExecuteDone({ result, setResult }) {
        if (isAsyncIterable(result)) return
        const withCost = { ...result, extensions: { cost } }
        // Errors are not masked yet.
        if (result.errors || cost.requested < longResultCost) return setResult(withCost)
        const text = await stringifyInTurns(withCost)
        // Yoga uses this member to write the result.
        setResult(Object.assign(withCost, { stringify: () => text }))
      },
    }
  },
}

/** Number of list items that are written in one turn of the event loop. */
const itemsInTurn = 1000

/** Returns the JSON text of a result. Long lists are written in turns, between which the process serves other requests. */
async function stringifyInTurns(value: unknown): Promise<string> {
  if (Array.isArray(value) && value.length > itemsInTurn) return stringifyList(value)
  if (!isRecord(value)) return JSON.stringify(value)
  const members: string[] = []
  for (const [name, each] of Object.entries(value))
    if (each !== undefined) members.push(`${JSON.stringify(name)}:${await stringifyInTurns(each)}`)
  return `{${members.join(',')}}`
}

async function stringifyList(items: readonly unknown[]): Promise<string> {
  const parts: string[] = []
  for (let start = 0; start < items.length; start += itemsInTurn) {
    parts.push(JSON.stringify(items.slice(start, start + itemsInTurn)).slice(1, -1))
    await setImmediate()
  }
  return `[${parts.join(',')}]`
}
