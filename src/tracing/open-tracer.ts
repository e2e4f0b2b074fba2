import type { Logger } from 'pino'
import type { Tracer } from '../../schema/core/observation/tracing.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Opens a tracer if the standard variables of OpenTelemetry turn traces on. Otherwise returns undefined without loading any module of
 * OpenTelemetry (docs/decisions/traces.md). Throws a one-line error for an unknown value.
 */
export async function openTracer(env: Environment, log: Logger): Promise<Tracer | undefined> {
  const { OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter } = env
  const endpoint = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (disabled?.toLowerCase() === 'true' || exporter === 'none' || !(exporter || endpoint)) return undefined
  const { createTracer } = await import('./open-telemetry.ts')
  return createTracer(env, log)
}
