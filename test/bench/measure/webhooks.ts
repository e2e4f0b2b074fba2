import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { openClient } from '../../../prisma/connection/database.ts'
import { exampleEvent } from '../../../schema/events/example-event.ts'
import { createSecret } from '../../../schema/webhooks/secret.ts'
import { sendEvent } from '../../../schema/webhooks/send-event.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { urlConnection } from '../../../src/database/connection.ts'
import { createOutgoingRequests } from '../../../src/outgoing/outgoing-requests.ts'
import { createWebhookDeliveries } from '../../../src/webhooks/deliveries.ts'
import { insertEvents, insertWebhook } from '../../support/webhooks/many-events.ts'
import { openBenchDatabase } from '../data/database.ts'
import type { GrowthResult } from './growth.ts'
import { percentile, spreadOf } from './statistics.ts'

const secretKey = 'bench '.repeat(8)
const webhooks = 10
const events = 300
const rounds = 5

/** An endpoint that accepts every event at once, and one that never answers. */
async function startEndpoints(received: (path: string) => void) {
  const server = createServer((request, response) => {
    if (request.url === '/hang') return
    request.resume().once('end', () => {
      received(request.url ?? '')
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** Measures deliveries by this process, from a database of their own. */
export async function measureDeliveries(): Promise<GrowthResult[]> {
  await using running = new AsyncDisposableStack()
  const created = await openBenchDatabase(process.env.BENCH_DATABASE_URL, 'webhooks')
  running.defer(created.close)
  const database = openClient(urlConnection(created.url))
  running.defer(database.close)
  const { pool } = database
  const outgoing = createOutgoingRequests({ outgoingAllowedHosts: ['127.0.0.1'], dnsServers: [] })
  running.defer(outgoing.close)
  const ports = { database, now: () => new Date(), outgoing, deriveSecret: secretDeriver(secretKey), sendMail: async () => {} }
  const arrivals: (readonly [path: string, at: number])[] = []
  const endpoints = await startEndpoints((path) => arrivals.push([path, performance.now()]))
  running.defer(endpoints.close)
  const deliveries = createWebhookDeliveries({ ...ports, worker: crypto.randomUUID(), report: console.error })
  running.defer(deliveries.close)
  return [await measureThroughput(), await measureIsolation()]

  async function measureThroughput(): Promise<GrowthResult> {
    await pool.query(`INSERT INTO teams (slug, name) VALUES ('busy', 'Busy')`)
    for (let count = 0; count < webhooks; count++) await insertWebhook(pool, secretKey, 'busy', `${endpoints.url}/busy`)
    const ratios: number[] = []
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      await insertEvents(pool, 'busy', events)
      const ratio = (await secondsOf(sendWithoutDatabase)) / (await secondsOf(deliveries.run))
      if (round > 0) ratios.push(ratio)
    }
    const title = 'deliveries to 10 webhooks ÷ the same requests without a database'
    return { name: 'deliveries', title, unit: '', value: spreadOf(ratios), goal: { bound: '≥', value: 0.4 } }
  }

  async function sendWithoutDatabase(): Promise<void> {
    const id = crypto.randomUUID()
    const { encrypted } = createSecret(ports, id)
    const endpoint = { id, url: `${endpoints.url}/busy`, secret: encrypted, previousSecret: null, previousSecretExpiresAt: null }
    let left = webhooks * events
    const send = async () => {
      while (left-- > 0)
        await sendEvent(ports, endpoint, exampleEvent('team.updated', { id: crypto.randomUUID(), team: 'busy', at: new Date() }))
    }
    await Promise.all(Array.from({ length: webhooks * 8 }, send))
  }

  /** The time from the commit of a change to the first byte at 900 endpoints, while 100 others never answer. */
  async function measureIsolation(): Promise<GrowthResult> {
    const teams = 50
    await pool.query(`INSERT INTO teams (slug, name) SELECT 'isolated-' || n, 'Isolated' FROM generate_series(1, ${teams}) n`)
    for (let team = 1; team <= teams; team++)
      for (let count = 0; count < 20; count++)
        await insertWebhook(pool, secretKey, `isolated-${team}`, `${endpoints.url}/${count < 2 ? 'hang' : `isolated-${team}`}`)
    arrivals.length = 0
    const committed = new Map<string, number[]>()
    deliveries.start()
    for (let change = 0; change < 300; change++) {
      const slug = `isolated-${1 + (change % teams)}`
      await insertEvents(pool, slug, 1)
      committed.set(slug, [...(committed.get(slug) ?? []), performance.now()])
      await delay(50)
    }
    await delay(2000)
    const seconds: number[] = []
    for (const [slug, times] of committed) {
      const seen = arrivals.flatMap(([path, at]) => (path === `/${slug}` ? at : []))
      // Each change goes to 18 endpoints that answer, in the order of the changes: they are a few seconds apart.
      for (const [index, at] of seen.entries()) seconds.push((at - (times[Math.floor(index / 18)] ?? at)) / 1000)
    }
    if (seconds.length !== 300 * 18) throw new Error(`${seconds.length} of ${300 * 18} events arrived`)
    const p99 = percentile(seconds, 99)
    const title = 'from the commit to the first byte, p99 of 900 endpoints, while 100 others hang'
    return {
      name: 'isolation',
      title,
      unit: 's',
      value: { median: p99, min: Math.min(...seconds), max: Math.max(...seconds) },
      goal: { bound: '≤', value: 1 },
    }
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
