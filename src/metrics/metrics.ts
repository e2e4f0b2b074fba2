import cluster from 'node:cluster'
import type { RequestHandler } from 'express'
import type { ServicePool } from '../../prisma/connection/pool.ts'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { routeTemplate } from '../http/logging/request-fields.ts'
import { onObservation } from '../../schema/core/observation/observation.ts'
import type { WebhookTotals } from '../../schema/webhooks/lag.ts'
import { counters, gauges, histograms } from './declarations.ts'
import { sendMetricsOnRequest } from './read-workers.ts'
import { countCertificates, hourly, keyAges, shareReads, waitingClients, waitingJobs } from './stored-state.ts'

export interface MetricsParts {
  /** True if this process reports the state of the database. One process per machine is enough. */
  readsDatabase: boolean
}

export interface MeasuredParts {
  pool: ServicePool
  isReady(): Promise<boolean>
  readWebhookTotals(): Partial<WebhookTotals>
  /** The clock of the database. */
  now(): Date
}

/** The metrics of a process. prom-client is loaded with this module, so it is imported only if METRICS_PORT is set. */
export interface Metrics {
  observeRequest: RequestHandler
  observeStatement(milliseconds: number): void
  observePoolWait(milliseconds: number): void
  /** Adds values that are read when the metrics are requested. */
  measure(parts: MeasuredParts): void
  /** Returns the metrics in the text format of Prometheus. */
  read(): Promise<{ type: string; text: string }>
}

export function createMetrics({ readsDatabase }: MetricsParts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  if (cluster.isWorker) sendMetricsOnRequest(registry)

  const requests = new Histogram({ ...toOptions(histograms.requests), registers })
  const statements = new Histogram({ ...toOptions(histograms.statements), registers })
  const poolWaits = new Histogram({ ...toOptions(histograms.poolWaits), registers })
  const counter = (declaration: (typeof counters)[keyof typeof counters]) => new Counter({ ...toOptions(declaration), registers })
  const [refusals, signIns, providerFailures, tokens, mails, deliveries, domainChecks, workersEnded, lostLogLines] = [
    counter(counters.refusals),
    counter(counters.signIns),
    counter(counters.providerFailures),
    counter(counters.tokens),
    counter(counters.mails),
    counter(counters.webhookDeliveries),
    counter(counters.domainChecks),
    counter(counters.workersEnded),
    counter(counters.lostLogLines),
  ]
  onObservation('refusal', ({ api, code }) => refusals.inc({ api, code }))
  onObservation('signIn', ({ method, result }) => signIns.inc({ method, result }))
  onObservation('providerFailure', ({ kind }) => providerFailures.inc({ kind }))
  onObservation('tokenIssued', ({ grantType }) => tokens.inc({ grant_type: grantType }))
  onObservation('mail', ({ result }) => mails.inc({ result }))
  onObservation('webhookDelivery', ({ result }) => deliveries.inc({ result }))
  onObservation('domainCheck', ({ result }) => domainChecks.inc({ result }))
  // The counter starts at 0, so that the first failure is an increase.
  for (const result of ['delivered', 'failed']) deliveries.inc({ result }, 0)
  for (const kind of ['oidc', 'saml', 'google', 'github', 'microsoft']) providerFailures.inc({ kind }, 0)
  for (const result of ['sent', 'dropped', 'retried', 'failed']) mails.inc({ result }, 0)
  for (const result of ['found', 'missing', 'unanswered']) domainChecks.inc({ result }, 0)
  onObservation('workerEnded', () => workersEnded.inc())
  onObservation('logLineLost', () => lostLogLines.inc())

  const gauge = (declaration: (typeof gauges)[keyof typeof gauges], collect: (this: Gauge) => void | Promise<void>) =>
    new Gauge({ ...toOptions(declaration), registers, collect })
  // The primary process counts them.
  gauge(gauges.unansweredWorkers, () => {})

  return {
    observeRequest(request, response, next) {
      const startedAt = performance.now()
      response.once('close', () => {
        const operation = response.locals.operationType ?? 'none'
        const labels = { method: request.method, route: routeTemplate(request) ?? 'none', operation, status: response.statusCode }
        requests.observe(labels, (performance.now() - startedAt) / 1000)
      })
      next()
    },
    observeStatement: (milliseconds) => statements.observe(milliseconds / 1000),
    observePoolWait: (milliseconds) => poolWaits.observe(milliseconds / 1000),
    measure({ pool, isReady, readWebhookTotals, now }) {
      // The pool comes first, because the statements of the gauges below also wait for a connection.
      gauge(gauges.poolConnections, function () {
        this.set({ state: 'idle' }, pool.idleCount)
        this.set({ state: 'active' }, pool.totalCount - pool.idleCount)
      })
      gauge(gauges.poolWaiting, function () {
        this.set(pool.waitingCount)
      })
      gauge(gauges.poolSize, function () {
        this.set(pool.options.max ?? 0)
      })
      gauge(gauges.ready, async function () {
        this.set((await isReady()) ? 1 : 0)
      })
      gauge(gauges.clockDifference, function () {
        this.set(Math.abs(Date.now() - now().getTime()) / 1000)
      })
      if (!readsDatabase) return
      // Without a database these metrics are absent, because the last values would look current.
      const readJobs = shareReads(() => waitingJobs(pool))
      const readKeyAges = shareReads(() => keyAges(pool))
      const readCertificates = hourly(() => countCertificates(pool, now()))
      const readWaitingClients = shareReads(() => waitingClients(pool))
      gauge(gauges.jobs, async function () {
        this.reset()
        for (const { queue, state, jobs } of await readJobs()) this.set({ queue, state }, jobs)
      })
      gauge(gauges.jobAge, async function () {
        this.reset()
        const queues = Map.groupBy(await readJobs(), ({ queue }) => queue)
        for (const [queue, states] of queues) this.set({ queue }, Math.max(...states.map(({ ageSeconds }) => ageSeconds)))
      })
      gauge(gauges.webhooks, function () {
        this.reset()
        const { lagSeconds: _, ...states } = readWebhookTotals()
        for (const [state, webhooks] of Object.entries(states)) this.set({ state }, webhooks)
      })
      gauge(gauges.webhookLag, function () {
        // `reset` is not used, because it sets a gauge without labels to 0.
        this.remove()
        const { lagSeconds } = readWebhookTotals()
        if (lagSeconds !== undefined) this.set(lagSeconds)
      })
      gauge(gauges.waitingClients, async function () {
        this.remove()
        for (const { count } of await readWaitingClients()) this.set(count)
      })
      gauge(gauges.samlCertificates, async function () {
        for (const [state, providers] of Object.entries((await readCertificates()) ?? {})) this.set({ state }, providers)
      })
      gauge(gauges.keyAge, async function () {
        this.reset()
        for (const { algorithm, seconds } of await readKeyAges()) this.set({ algorithm }, seconds)
      })
    },
    read: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  }
}

const toOptions = <Labels extends string>({
  labels,
  ...declaration
}: {
  name: string
  help: string
  labels: readonly Labels[]
  buckets?: readonly number[]
  aggregator?: 'sum' | 'max' | 'min'
}) => ({ ...declaration, labelNames: [...labels], buckets: [...(declaration.buckets ?? [])] })
