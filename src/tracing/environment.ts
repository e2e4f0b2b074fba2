import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ConsoleSpanExporter,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import type { Sampler, SpanExporter } from '@opentelemetry/sdk-trace'
import { ConfigError } from '../config/setting-text.ts'

// Variables of OpenTelemetry that its packages do not read themselves. The exporters read others, such as OTEL_EXPORTER_OTLP_HEADERS, and
// the resource reads OTEL_SERVICE_NAME.

type Environment = Readonly<Record<string, string | undefined>>

const samplers: Record<string, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

const exporters: Record<string, () => Promise<SpanExporter>> = {
  'http/protobuf': async () => new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter(),
  'http/json': async () => new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter(),
}

export function createSampler(env: Environment): Sampler {
  const text = env['OTEL_TRACES_SAMPLER_ARG'] || '1'
  const ratio = Number(text)
  if (!(ratio >= 0 && ratio <= 1)) throw new ConfigError(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1; it is "${text}"`)
  return choose(samplers, 'OTEL_TRACES_SAMPLER', env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on')(ratio)
}

export async function createExporter(env: Environment): Promise<SpanExporter> {
  const protocol = env['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf'
  const kinds = {
    otlp: () => choose(exporters, 'OTEL_EXPORTER_OTLP_PROTOCOL', protocol)(),
    console: () => Promise.resolve(new ConsoleSpanExporter()),
  }
  return choose<() => Promise<SpanExporter>>(kinds, 'OTEL_TRACES_EXPORTER', env['OTEL_TRACES_EXPORTER'] || 'otlp')()
}

/** Returns the milliseconds between two exports. */
export const readExportDelay = (env: Environment): number => Number(env['OTEL_BSP_SCHEDULE_DELAY']) || 5000

function choose<Value>(values: Readonly<Record<string, Value>>, variable: string, name: string): Value {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value === undefined)
    throw new ConfigError(`${variable} must be one of ${Object.keys(values).join(', ')}; it is ${JSON.stringify(name)}`)
  return value
}
