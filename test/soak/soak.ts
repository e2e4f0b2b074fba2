import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openClient } from '../../prisma/connection/database.ts'
import { poolConfigFor, urlConnection } from '../../src/database/connection.ts'
import { startService } from '../bench/contestants/start.ts'
import { openBenchDatabase } from '../bench/data/database.ts'
import { seedWorkload } from '../bench/data/issuer.ts'
import { seedOAuth } from '../bench/data/seed-oauth.ts'
import { seed } from '../bench/data/seed.ts'
import { quickSizes } from '../bench/data/sizes.ts'
import { describeMachine } from '../bench/report/machine.ts'
import type { Machine } from '../bench/report/machine.ts'
import { createMailServer, rejection } from '../support/mail/smtp.ts'
import { reservePort } from '../support/processes/port.ts'
import { judge, momentOf } from './series.ts'
import type { Moment, Verdict } from './series.ts'
import { startTraffic } from './traffic/start.ts'
import type { Counts } from './traffic/start.ts'

/** The number of measurements, however long the soak takes. */
const measurements = 30

interface SoakOptions {
  minutes: number
  /** Before the first measurement: caches fill and code is compiled. */
  warmUpSeconds: number
  /** The control: the service leaks memory, descriptors and connections, and no mail is accepted. */
  leaks: boolean
  print(text: string): void
}

export interface SoakResult {
  machine: Machine
  minutes: number
  warmUpSeconds: number
  counts: Counts
  moments: Moment[]
  verdicts: Verdict[]
}

/** Sends mixed traffic to all interfaces of a service in another process, and reads its metrics at the same time. */
export async function soak({ minutes, warmUpSeconds, leaks, print }: SoakOptions): Promise<SoakResult> {
  await using running = new AsyncDisposableStack()
  const database = await openBenchDatabase(process.env.BENCH_DATABASE_URL)
  running.defer(database.close)
  const session = new pg.Client(urlConnection(database.url))
  await session.connect()
  const tokens = await seed(session, quickSizes)

  const mailServer = createMailServer({
    onMail: () => {
      if (leaks) throw rejection(451, 'try again later')
    },
  })
  await mailServer.listen()
  running.defer(mailServer.close)
  const { port: metricsPort, release } = reservePort()
  release()
  const service = await startService(database, {
    ...unlimited,
    METRICS_PORT: String(metricsPort),
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'accounts@example.test',
    NODE_OPTIONS: `--import=${pathToFileURL(path.join(import.meta.dirname, 'service-probe.ts')).href}`,
    ...(leaks && { SOAK_LEAK: '1' }),
  })
  running.defer(service.stop)
  const oauth = await seedOAuth(session, service.origin, 1)
  const data = { ...tokens, oauth, workload: await seedWorkload(session, running), origin: service.origin }
  await session.end()
  const client = openClient(poolConfigFor(urlConnection(database.url), 'command', 2))
  running.defer(client.close)

  const measuredSeconds = minutes * 60
  const target = { url: service.origin, database: client, databaseUrl: database.url, data }
  const traffic = await startTraffic(target, warmUpSeconds + measuredSeconds)
  const startedAt = performance.now()
  const until = (seconds: number) => Promise.race([delay(Math.max(0, startedAt + seconds * 1000 - performance.now())), traffic.failed])
  const moments: Moment[] = []
  for (let count = 1; count <= measurements; count++) {
    const seconds = (count * measuredSeconds) / measurements
    await until(warmUpSeconds + seconds)
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
    moments.push(momentOf(seconds, await response.text()))
    if (count % 5 === 0) print(`${Math.round(seconds)} s: ${JSON.stringify(moments.at(-1))}\n`)
  }
  const counts = await Promise.race([traffic.stop(), traffic.failed])
  return { machine: describeMachine(database.version), minutes, warmUpSeconds, counts, moments, verdicts: judge(moments) }
}

/** One client sends everything, from one address and for few accounts. */
const unlimited = Object.fromEntries(
  ['SIGN_IN_ACCOUNT', 'SIGN_IN_ADDRESS', 'SIGN_UP', 'CLIENT_SECRET', 'USER_CODE', 'AUTHORIZATION', 'LINK'].map((name) => [
    `RATE_LIMIT_${name}`,
    '0',
  ]),
)
