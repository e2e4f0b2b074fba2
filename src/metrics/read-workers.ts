import { AggregatorRegistry } from 'prom-client'

const workers = new AggregatorRegistry()

/** Collects the metrics of all workers and combines them. The primary process loads this module if METRICS_PORT is set. */
export const readWorkers = async (): Promise<{ type: string; text: string }> => ({
  type: workers.contentType,
  text: await workers.clusterMetrics(),
})
