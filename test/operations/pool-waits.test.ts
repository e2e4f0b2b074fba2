import { expect, test } from 'vitest'
import { histograms } from '../../src/metrics/declarations.ts'
import { createOwnedTeam } from '../support/data/team.ts'
import { parseMetrics } from '../support/metrics/prometheus-text.ts'
import { reservePort } from '../support/processes/port.ts'
import { usePair } from '../support/processes/service-pair.ts'
import { waitFor } from '../support/service/wait.ts'

const { port, release } = reservePort()
release()
const service = usePair({ METRICS_PORT: String(port), WEB_CONCURRENCY: '1', DATABASE_POOL: '2' }, { processes: 1 })
const { name } = histograms.poolWaits

async function scrape() {
  const startedAt = performance.now()
  const samples = parseMetrics(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text())
  const values = new Map(samples.map((sample) => [sample.name, sample.value]))
  return { values, milliseconds: performance.now() - startedAt }
}

/** Sends requests until statements of the service hold both connections, and returns their responses. */
async function exhaustPool(list: () => Promise<Response>): Promise<Promise<Response>[]> {
  const responses: Promise<Response>[] = []
  await waitFor(async () => {
    responses.push(list())
    const { rowCount } = await service.database.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`,
    )
    return rowCount === 2
  }, 10)
  return responses
}

test('the time that statements wait for a connection is measured, and the metrics do not wait for one', async () => {
  const { team, token } = await createOwnedTeam(service.database)
  const headers = { Authorization: `Bearer ${token}` }
  const list = () => fetch(`${service.url}/api/v1/teams/${team.slug}/invoices`, { headers })
  expect((await list()).status).toBe(200)
  const before = await scrape()
  const duringLock = async () => {
    const responses = await exhaustPool(list)
    // Takes half a second. Afterwards, statements wait for a connection instead of sharing a stalled one.
    await scrape()
    responses.push(list())
    const during = await scrape()
    return { responses, during }
  }
  const session = await service.database.pool.connect()
  await session.query('BEGIN')
  await session.query('LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE')
  const { responses, during } = await duringLock().finally(() => session.query('ROLLBACK'))
  session.release()
  expect((await list()).status).toBe(200)
  for (const response of responses) expect([200, 503]).toContain((await response).status)
  const after = await scrape()

  expect(during.milliseconds).toBeLessThan(1000)
  const countOf = ({ values }: typeof before) => values.get(`${name}_count`) ?? Number.NaN
  const secondsOf = ({ values }: typeof before) => values.get(`${name}_sum`) ?? Number.NaN
  expect(countOf(after)).toBeGreaterThan(countOf(before))
  expect(secondsOf(after)).toBeGreaterThan(secondsOf(before))
  await list()
  expect(countOf(await scrape())).toBe(countOf(after))
})
