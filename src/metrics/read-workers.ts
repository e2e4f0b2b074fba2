import { AggregatorRegistry } from 'prom-client'

const workers = new AggregatorRegistry()

/** Asks all workers for their metrics, and adds them up. Loaded by the primary process, if METRICS_PORT is set. */
export const readWorkers = async (): Promise<{ type: string; text: string }> => ({
  type: workers.contentType,
  text: await workers.clusterMetrics(),
})
