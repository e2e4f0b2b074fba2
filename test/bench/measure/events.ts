import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { insertEvents, insertWebhook } from '../../support/webhooks/many-events.ts'
import { serviceSettings } from '../contestants/start.ts'
import { bearer, get } from '../requests/request.ts'
import type { Bench } from './bench.ts'
import type { GrowthResult } from './growth.ts'
import { ratiosOf } from './requests.ts'
import { measureInRounds } from './rounds.ts'
import type { Duration } from './rounds.ts'
import { median, spreadOf } from './statistics.ts'

const events = 20_000

/** Compares a page of the feed after 19,950 events with the first. */
export async function measureFeed({ service, data, tools }: Bench, duration: Duration): Promise<GrowthResult> {
  await insertEvents(tools.control, 'acme', events)
  // As autovacuum does within a minute: before, PostgreSQL does not know that most actions are rare.
  await tools.control.query('ANALYZE audit_entries')
  const feed = '/api/v1/teams/acme/events'
  let cursor = ''
  for (let read = 0; read < events - 50;) {
    const perPage = Math.min(100, events - 50 - read)
    const path = `${feed}?per_page=${perPage}${cursor && `&after=${cursor}`}`
    const response = await fetch(`${service.origin}${path}`, { headers: bearer(data.callers.oneTeam) })
    const page: { data: unknown[]; meta: { next_cursor: string } } = await response.json()
    if (page.data.length === 0) throw new Error(`the feed ends after ${read} events`)
    read += page.data.length
    cursor = page.meta.next_cursor
  }
  const subjects = [`${feed}?per_page=50`, `${feed}?per_page=50&after=${cursor}`].map((path) => ({
    servers: [service],
    scripts: get(path)(data),
  }))
  const [first = [], last = []] = await measureInRounds(subjects, duration, tools)
  const title = 'page of the feed after 19,950 events ÷ first page'
  return { name: 'feed', title, unit: '', value: ratiosOf(last, first).requestsPerSecond, goal: { bound: '≥', value: 0.8 } }
}

const webhooks = 10
const changes = 200

/** Compares changes of a team with ten webhooks with those of a team without any, one after the other. */
export async function measureChanges({ service, data, database, tools }: Bench): Promise<GrowthResult> {
  const endpoint = createServer((request, response) => request.resume().once('end', () => response.writeHead(204).end()))
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = endpoint.address() as AddressInfo
  const { SECRET_KEY: secretKey } = serviceSettings(database)
  for (let count = 0; count < webhooks; count++) await insertWebhook(tools.control, secretKey, 'changed-1', `http://127.0.0.1:${port}/`)
  const ratios: number[] = []
  for (let round = 0; round <= 5; round++) {
    const latencies: [number[], number[]] = [[], []]
    for (let change = 0; change < changes; change++) {
      for (const [index, slug] of ['changed-1', 'changed-2'].entries()) {
        const started = performance.now()
        const response = await fetch(`${service.origin}/api/v1/teams/${slug}`, {
          method: 'PATCH',
          headers: { ...bearer(data.owners[index] ?? ''), 'content-type': 'application/json' },
          body: JSON.stringify({ name: `Name ${round} ${change}` }),
        })
        await response.arrayBuffer()
        latencies[index === 0 ? 0 : 1].push(performance.now() - started)
        if (!response.ok) throw new Error(`${slug}: ${response.status}`)
      }
      await delay(10)
    }
    // The first round warms up.
    if (round > 0) ratios.push(median(latencies[1]) / median(latencies[0]))
  }
  endpoint.closeAllConnections()
  endpoint.close()
  const title = 'PATCH of a team with 10 webhooks ÷ without'
  return { name: 'changes-with-webhooks', title, unit: '', value: spreadOf(ratios), goal: { bound: '≥', value: 0.95 } }
}
