import { afterAll, beforeAll, vi } from 'vitest'
import type { Tracer } from '../../../schema/core/observation/tracing.ts'
import { openTracer } from '../../../src/tracing/open-tracer.ts'
import { silent } from './test-settings.ts'

/** A tracer that sends the spans of all tests of a file to a collector. */
export function useTracer(collectorUrl: string): Tracer {
  let opened: Tracer | undefined
  const tracer = () => {
    if (!opened) throw new Error('the tracer is not open')
    return opened
  }
  beforeAll(async () => {
    // The exporter reads this variable itself.
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collectorUrl)
    const variables = { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_BSP_SCHEDULE_DELAY: '20' }
    opened = await openTracer(variables, silent)
    vi.unstubAllEnvs()
  })
  afterAll(() => opened?.close())
  return {
    startSpan: (name, options) => tracer().startSpan(name, options),
    // Statements run before the tracer is open, too, when the database is created.
    startStatement: (text, name) => opened?.startStatement(text, name),
    close: () => tracer().close(),
  }
}
