import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import type { Logger } from 'pino'
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client'
import { onObservation } from '../../schema/core/observation/observation.ts'
import { counters, gauges } from './declarations.ts'

type Values = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

interface MetricsRequest {
  kind: 'readMetrics'
  id: number
}
interface MetricsResponse {
  kind: 'metrics'
  id: number
  values: Values
}

/** The timeout exceeds the time that a worker waits for its database. Prometheus waits for 10 seconds by default. */
const timeoutMilliseconds = 1000

/** The counters and histograms that each worker reported last. */
const latest = new WeakMap<Worker, Values>()
let requestCount = 0

/** Metrics that the primary process counts itself. */
const own = new Registry()
const workersEnded = new Counter({ ...counters.workersEnded, labelNames: [], registers: [own] })
onObservation('workerEnded', () => workersEnded.inc())

/** Sends the metrics of a worker to the primary process when the primary process requests them. */
export function sendMetricsOnRequest(registry: Registry): void {
  process.on('message', ({ kind, id }: MetricsRequest) => {
    if (kind === 'readMetrics') void registry.getMetricsAsJSON().then((values) => process.send?.({ kind: 'metrics', id, values }))
  })
}

/**
 * Collects the metrics of all workers in the primary process and combines them. A worker that does not respond, for example because it
 * hangs, counts as not ready. Its previous counters are used, because otherwise they would seem to start again.
 */
export async function readWorkers(log: Logger): Promise<{ type: string; text: string }> {
  const workers = Object.values(cluster.workers ?? {}).flatMap((worker) => (worker?.isConnected() ? [worker] : []))
  const all = await Promise.all(workers.map((worker) => loadValues(worker, log)))
  const counted = await own.getMetricsAsJSON()
  const text = await AggregatorRegistry.aggregate([...(all.length > 0 ? all : [await notReady(0)]), counted]).metrics()
  return { type: Registry.PROMETHEUS_CONTENT_TYPE, text }
}

async function loadValues(worker: Worker, log: Logger): Promise<Values> {
  const values = await ask(worker)
  if (!values) {
    log.warn(`worker process ${worker.process.pid} did not report its metrics: it starts, stops or hangs`)
    return [...(latest.get(worker) ?? []), ...(await notReady(1))]
  }
  latest.set(
    worker,
    values.filter(({ type }) => ['counter', 'histogram'].includes(String(type))),
  )
  return values
}

function ask(worker: Worker): Promise<Values | undefined> {
  const id = (requestCount += 1)
  return new Promise((resolve) => {
    const end = (values?: Values) => {
      clearTimeout(limit)
      worker.off('message', onMessage).off('exit', onExit)
      resolve(values)
    }
    const onMessage = (message: MetricsResponse) => message.kind === 'metrics' && message.id === id && end(message.values)
    const onExit = () => end()
    const limit = setTimeout(end, timeoutMilliseconds)
    worker.on('message', onMessage).once('exit', onExit)
    worker.send({ kind: 'readMetrics', id } satisfies MetricsRequest, (error) => error && end())
  })
}

/** Returns the metrics of a process that is not ready. */
function notReady(unansweredWorkers: number): Promise<Values> {
  const registry = new Registry()
  new Gauge({ ...gauges.ready, labelNames: [], registers: [registry] }).set(0)
  new Gauge({ ...gauges.unansweredWorkers, labelNames: [], registers: [registry] }).set(unansweredWorkers)
  return registry.getMetricsAsJSON()
}
