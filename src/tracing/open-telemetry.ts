import { AsyncLocalStorage } from 'node:async_hooks'
import { DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, diag, trace } from '@opentelemetry/api'
import type { Context, Span } from '@opentelemetry/api'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { SpanOptions, Tracer } from '../../schema/core/observation/tracing.ts'
import { readVersion } from '../config/version.ts'
import { readExportDelay, createExporter, createSampler } from './environment.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL, consumer: SpanKind.CONSUMER }

/** Creates a tracer with OpenTelemetry's SDK. It registers nothing globally, so several can exist in a process. */
export async function createTracer(env: Readonly<Record<string, string | undefined>>, log: Logger): Promise<Tracer> {
  const version = await readVersion()
  const report = (level: 'warn' | 'error') => (message: string) => log[level](`OpenTelemetry: ${message}`)
  const ignore = () => {}
  diag.setLogger(
    { error: report('error'), warn: report('warn'), info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const service = resourceFromAttributes({ 'service.name': 'team-account-service', 'service.version': version })
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(service)
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(env),
    spanProcessors: [new BatchSpanProcessor({ exporter: await createExporter(env), scheduledDelayMillis: readExportDelay(env) })],
  })
  const tracer = provider.getTracer('team-account-service', version)
  const spanInProgress = new AsyncLocalStorage<Span>()

  function getParent(traceparent: string | undefined): Context {
    const current = spanInProgress.getStore()
    if (traceparent === undefined) return current ? trace.setSpan(ROOT_CONTEXT, current) : ROOT_CONTEXT
    const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
  }

  return {
    startSpan(name: string, { kind, attributes = {}, traceparent }: SpanOptions) {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, getParent(traceparent))
      const { traceId, spanId, traceFlags } = span.spanContext()
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
        run: (work) => spanInProgress.run(span, work),
        rename: (next) => void span.updateName(next),
        end(last, error) {
          if (last) span.setAttributes(last)
          end(span, error)
        },
      }
    },
    startStatement(text, name) {
      // Spans are recorded neither outside of requests nor after a request has ended.
      if (!spanInProgress.getStore()?.isRecording()) return undefined
      const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? ''
      const summary = name ?? operation
      const attributes = {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.summary': summary,
        'db.query.text': text,
      }
      const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, getParent(undefined))
      return (error) => end(span, error)
    },
    close: () => provider.shutdown(),
  }
}

function getType(error: unknown): string {
  if (typeof error === 'string') return error
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

function end(span: Span, error: unknown): void {
  if (error !== undefined && error !== null) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', getType(error))
  }
  span.end()
}
