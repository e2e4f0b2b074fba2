import { getOperationAST } from 'graphql'
import type { DocumentNode } from 'graphql'

/** Attributes of OpenTelemetry's semantic conventions. They never contain secrets or values that a client sent. */
export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  kind: 'server' | 'client' | 'internal' | 'consumer'
  attributes?: Attributes
  /** The parent span, in another process or at another time. Default: the current span. */
  traceparent?: string | undefined
}

export interface Span {
  /** Identifies the span in the form of W3C Trace Context. */
  traceparent: string
  /** Runs work within this span, so that its spans are children of this one. */
  run<Result>(work: () => Result): Result
  rename(name: string): void
  /** Ends the span. Only the type of an error is recorded, because its text can contain values. */
  end(attributes?: Attributes, error?: unknown): void
}

/** Records traces. Absent unless the operator enabled tracing (`src/tracing/open-tracer.ts`). */
export interface Tracer {
  startSpan(name: string, options: SpanOptions): Span
  /** Starts the span of a statement, if the current span is recorded. Returns a function that ends it. */
  startStatement(text: string, name: string | undefined): ((error?: unknown) => void) | undefined
  /** Exports the remaining spans. */
  close(): Promise<void>
}

/** Runs work in a span, and ends the span with it. */
export async function inSpan<Result>(span: Span, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    const result = await span.run(work)
    span.end()
    return result
  } catch (error) {
    span.end({}, error)
    throw error
  }
}

/** Runs a GraphQL operation in a span of its own, if there is a tracer. The document is not recorded: it can contain values. */
export function inOperation<Result>(
  { tracer }: { tracer?: Tracer | undefined },
  document: DocumentNode,
  operationName: string | null | undefined,
  work: () => Result | Promise<Result>,
): Result | Promise<Result> {
  if (!tracer) return work()
  const { operation = 'query', name } = getOperationAST(document, operationName) ?? {}
  const named = name && { 'graphql.operation.name': name.value }
  const attributes = { 'graphql.operation.type': operation, ...named }
  return inSpan(tracer.startSpan(`GraphQL ${operation}`, { kind: 'internal', attributes }), work)
}
