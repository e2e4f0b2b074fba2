import { expect, test } from 'vitest'
import { counters, gauges } from '../../src/metrics/declarations.ts'
import { parseMetrics } from '../support/metrics/prometheus-text.ts'
import { reservePort } from '../support/processes/port.ts'
import { usePair } from '../support/processes/service-pair.ts'

const { port, release } = reservePort()
release()
const service = usePair({ METRICS_PORT: String(port), WEB_CONCURRENCY: '1' }, { processes: 1 })
const scrape = async () => parseMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())

test('attempts to deliver emails are counted from 0 on, so that the first failure is an increase', async () => {
  const attempts = (await scrape()).filter(({ name }) => name === counters.mails.name)
  const values = attempts.map(({ labels, value }) => [labels['result'], value])
  expect(Object.fromEntries(values)).toEqual({ sent: 0, dropped: 0, retried: 0, failed: 0 })
})

test('the age of a waiting email counts from its creation, although its next attempt is in the future', async () => {
  await service.database.pool.query(
    `INSERT INTO pgboss.job (name, data, state, retry_count, created_on, start_after)
     VALUES ('mail', '{}', 'retry', 9, now() - interval '2 hours', now() + interval '1 hour')`,
  )
  const age = (await scrape()).find(({ name, labels }) => name === gauges.jobAge.name && labels['queue'] === 'mail')
  expect(age?.value).toBeGreaterThan(7190)
  expect(age?.value).toBeLessThan(7500)
})
