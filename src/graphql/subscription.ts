import { once } from 'node:events'
import type { Request, Response } from 'express'
import {
  GraphQLError,
  OperationTypeNode,
  createSourceEventStream,
  executeSubscriptionEvent,
  getOperationAST,
  validateSubscriptionArgs,
} from 'graphql'
import type { DocumentNode, ExecutionResult, GraphQLFormattedError, ValidatedSubscriptionArgs, FormattedExecutionResult } from 'graphql'
import type { Subscription, SubscriptionEvent } from '../../schema/core/cancellation/subscription.ts'
import type { Context } from '../../schema/core/context.ts'
import { schema } from '../../schema/index.ts'
import type { DocumentCache } from './documents/document-cache.ts'
import { parseDocument } from './documents/parse-document.ts'
import type { Cost } from './documents/parse-document.ts'
import { validateDocument } from './documents/validate-document.ts'
import { publicError } from './errors.ts'
import { charge, costOfRefusal, newBudget } from './limits.ts'
import { isRecord } from '../../schema/core/record.ts'

/** A subscription of a request, parsed and not yet validated. */
export interface RequestedSubscription {
  document: DocumentNode
  operationName: string | null
  variables: Record<string, unknown>
}

/** Returns the subscription in the parameters, if the client accepts server-sent events. Yoga handles everything else. */
export function findSubscription(request: Request, parameters: unknown, documents: DocumentCache): RequestedSubscription | null {
  if (!request.headers.accept?.includes('text/event-stream') || !isRecord(parameters)) return null
  const { query, variables, operationName } = parameters
  if (typeof query !== 'string' || !isRecord(variables ?? {}) || typeof (operationName ?? '') !== 'string') return null
  const document = documents.get(query) ?? parseOrNull(query)
  const name = typeof operationName === 'string' ? operationName : null
  if (!document || getOperationAST(document, name)?.operation !== OperationTypeNode.SUBSCRIPTION) return null
  return { document, operationName: name, variables: isRecord(variables) ? variables : {} }
}

function parseOrNull(query: string): DocumentNode | null {
  try {
    return parseDocument(query)
  } catch {
    return null
  }
}

interface Parts {
  context: Context
  subscription: Subscription<Context>
  intervalMilliseconds: number
  report(error: unknown, requestId: string): void
}

/** Executes a subscription and writes its results until it ends, the client leaves or the signal is aborted. */
export async function serveSubscription(requested: RequestedSubscription, response: Response, parts: Parts): Promise<void> {
  const { context, subscription, intervalMilliseconds, report } = parts
  const { signal } = subscription
  const publish = (errors: readonly GraphQLError[]) => ({
    errors: errors.map((error) => withoutHttp(publicError(error, context.requestId, report))),
  })
  const validated = await validatedArguments(requested, { ...context, subscription })
  if (!('cost' in validated))
    return void response.status(400).json({ ...publish(validated), extensions: { cost: costOfRefusal(validated, newBudget()) } })
  const extensions = { cost: validated.cost }
  const source = await createSourceEventStream(validated.args)
  if (signal.aborted) return
  const stream = new EventStream(response, signal, intervalMilliseconds)
  if (!(Symbol.asyncIterator in source)) {
    await stream.send({ ...publish(source.errors ?? []), extensions })
  } else {
    try {
      for await (const event of source) {
        const { result, id } = await executeEvent(validated.args, event)
        await stream.send({ ...result, ...(result.errors && publish(result.errors)), extensions }, id)
        if (signal.aborted) break
      }
    } catch (error) {
      await stream.send({ ...publish([asExecutionError(error)]), extensions })
    }
  }
  stream.complete()
  response.end()
}

async function validatedArguments(
  { document, operationName, variables }: RequestedSubscription,
  contextValue: Context,
): Promise<{ args: ValidatedSubscriptionArgs; cost: Cost } | readonly GraphQLError[]> {
  const errors = validateDocument(schema, document)
  if (errors.length > 0)
    return errors.map(({ message, nodes, extensions }) => {
      return new GraphQLError(message, { nodes, extensions: { code: 'graphql_validation_failed', ...extensions } })
    })
  const cost = await charge({ document, operationName, variables }, contextValue, newBudget()).catch((error: unknown) => {
    return error instanceof GraphQLError ? error : Promise.reject(error)
  })
  if (cost instanceof GraphQLError) return [cost]
  const args = validateSubscriptionArgs({ schema, document, operationName, variableValues: variables, contextValue })
  return 'schema' in args ? { args, cost } : args
}

/** Executes the selection for one event, in the context of that event. */
async function executeEvent(args: ValidatedSubscriptionArgs, event: unknown): Promise<{ result: ExecutionResult; id: string }> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every subscription yields events of this shape
  const { id, context } = event as SubscriptionEvent<Context>
  return { id, result: await executeSubscriptionEvent({ ...args, rootValue: event, contextValue: context }) }
}

/** Returns the error without the status of its response. In other responses, yoga reads and removes the status. */
function withoutHttp(error: GraphQLError): GraphQLFormattedError {
  const { http: _, ...extensions } = error.extensions
  return { ...error.toJSON(), extensions }
}

const asExecutionError = (error: unknown) =>
  new GraphQLError('execution failed', { originalError: error instanceof Error ? error : new Error(String(error)) })

/** A client that reads nothing for this long has disconnected or is too slow. */
const stalledMilliseconds = 30_000

/**
 * Writes results as server-sent events, in the form of the protocol GraphQL over SSE with one connection for each operation. A comment at
 * intervals prevents proxies from closing a silent connection. Nothing is buffered beyond the socket: `send` waits until the client has
 * taken the data written before.
 */
class EventStream {
  readonly #response: Response
  readonly #signal: AbortSignal
  readonly #heartbeat: NodeJS.Timeout
  #isWaiting = false

  constructor(response: Response, signal: AbortSignal, intervalMilliseconds: number) {
    this.#response = response
    this.#signal = signal
    // `no-transform` prevents compression of the stream, and the other field prevents buffering by nginx.
    response.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store, no-transform' })
    response.set({ Connection: 'keep-alive', 'X-Accel-Buffering': 'no' })
    response.write(':\n\n')
    this.#heartbeat = setInterval(() => this.#isWaiting || response.write(':\n\n'), intervalMilliseconds)
    signal.addEventListener('abort', () => clearInterval(this.#heartbeat), { once: true })
  }

  async send(result: FormattedExecutionResult, id?: string): Promise<void> {
    await this.#write(`${id === undefined ? '' : `id: ${id}\n`}event: next\ndata: ${JSON.stringify(result)}\n\n`)
  }

  /** Ends the operation. The client does not connect again. */
  complete(): void {
    if (!this.#signal.aborted) this.#response.write('event: complete\ndata:\n\n')
  }

  async #write(text: string): Promise<void> {
    if (this.#signal.aborted || this.#response.write(text)) return
    this.#isWaiting = true
    const timeout = AbortSignal.timeout(stalledMilliseconds)
    try {
      await once(this.#response, 'drain', { signal: AbortSignal.any([this.#signal, timeout]) })
    } catch {
      if (timeout.aborted) this.#response.destroy()
    }
    this.#isWaiting = false
  }
}
