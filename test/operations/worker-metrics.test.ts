import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { counters, gauges, histograms } from '../../src/metrics/declarations.ts'
import { workersOf } from '../support/faults/processes.ts'
import { parseMetrics } from '../support/metrics/prometheus-text.ts'
import { reservePort } from '../support/processes/port.ts'
import { startMain } from '../support/processes/service-process.ts'
import type { ServiceProcess } from '../support/processes/service-process.ts'
import { useDatabase } from '../support/service/database.ts'
import { waitFor } from '../support/service/wait.ts'

const { url: databaseUrl } = useDatabase()
const { port, release } = reservePort()
let service: ServiceProcess

beforeAll(async () => {
  release()
  service = startMain({
    DATA_DIR: path.join(inject('runFolder'), `worker-metrics-${process.pid}`),
    DATABASE_URL: databaseUrl,
    METRICS_PORT: String(port),
    WEB_CONCURRENCY: '2',
    LOG_LEVEL: 'warn',
  })
  const origin = await service.origin
  for (let count = 0; count < 10; count++) await fetch(`${origin}/api/v1/teams`)
})
afterAll(async () => {
  service.signal('SIGKILL')
  await service.ended
})

/** The sums of all samples of a metric. */
async function scrape(...names: string[]): Promise<number[]> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(response.status).toBe(200)
  const samples = parseMetrics(await response.text())
  return names.map((name) => samples.filter((sample) => sample.name === name).reduce((sum, { value }) => sum + value, 0))
}
const requests = `${histograms.requests.name}_count`

test('no statement waits for a connection while the service is idle', async () => {
  // After a second, the checks of /readyz are executed again for the metrics.
  for (const _ of [1, 2]) {
    expect(await scrape(gauges.poolWaiting.name)).toEqual([0])
    await pause(1100)
  }
})

test('a worker that hangs counts as not ready and with its previous requests, and the log names it', async () => {
  const names = [requests, gauges.ready.name, gauges.poolSize.name, gauges.unansweredWorkers.name]
  expect(await scrape(...names)).toEqual([10, 1, 20, 0])
  const [hanging = 0] = workersOf(service.pid)
  process.kill(hanging, 'SIGSTOP')
  // A worker that remains stopped keeps the output of the service open.
  onTestFinished(() => void process.kill(hanging, 'SIGCONT'))
  const startedAt = performance.now()
  expect(await scrape(...names)).toEqual([10, 0, 10, 1])
  expect(performance.now() - startedAt).toBeLessThan(1800)
  await waitFor(() => service.output().stderr.includes(`worker process ${hanging} did not report its metrics: it starts, stops or hangs`))
  process.kill(hanging, 'SIGCONT')
  expect(await scrape(...names)).toEqual([10, 1, 20, 0])
})

test('a worker that is killed is counted', async () => {
  expect(await scrape(counters.workersEnded.name)).toEqual([0])
  const [killed = 0] = workersOf(service.pid)
  process.kill(killed, 'SIGKILL')
  await waitFor(async () => (await scrape(counters.workersEnded.name))[0] === 1)
})
