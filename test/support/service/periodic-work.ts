import { outboxIndexes } from '../../../schema/core/mails/outbox-mails.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import { checkMigrations, checkDatabase } from '../../../src/database/readiness.ts'
import { followDatabaseClock } from '../../../src/database/clock.ts'
import { poolConfigFor, urlConnection } from '../../../src/database/connection.ts'
import { createTeamChanges } from '../../../src/database/team-changes.ts'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import { createFailedSignInLog } from '../../../src/auth/delayed-writes/failed-sign-in-log.ts'
import { createLastUsed } from '../../../src/auth/delayed-writes/last-used.ts'
import { createRequestCounts } from '../../../src/auth/request-counts.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { checkQueues, defaultTiming, openQueues } from '../../../src/jobs/queue.ts'
import { mailQueue } from '../../../src/mail/mail-records.ts'
import { createMetrics } from '../../../src/metrics/metrics.ts'
import { createFailureLog } from '../../../src/oidc/failures/failure-log.ts'
import { createKeyring } from '../../../src/oidc/keyring.ts'
import { createDeliveryLog } from '../../../src/oidc/token/delivery-log.ts'
import { createBackground } from '../../../src/service/background.ts'
import type { TestService } from './service.ts'
import { retention, secretKey, silent } from './test-settings.ts'

/** Adds a job to the queue of mails, with the tables of the queue. */
export async function addQueuedJob(databaseUrl: string): Promise<void> {
  const boss = await openMailQueue(databaseUrl)
  await boss.send(mailQueue, {})
  await boss.stop()
}

/** Creates the tables of the queue of mails, which the pages of staff read. */
export async function createMailQueue(databaseUrl: string): Promise<void> {
  await (await openMailQueue(databaseUrl)).stop()
}

const openMailQueue = (databaseUrl: string) => {
  const poolConfig = poolConfigFor(urlConnection(databaseUrl), 'service', 3)
  return openQueues({ poolConfig, queues: [mailQueue], indexes: outboxIndexes, isWorker: false, timing: defaultTiming, log: silent })
}

interface Parts {
  service: TestService
  /** The database of the service with sessions of its own, and its URL. */
  database: OpenDatabase
  url: string
  teamId: string
  report(error: unknown): void
}

/** Executes once what a service executes again and again without a request: the jobs, the queue, the metrics, and what it writes at intervals. */
export async function executePeriodicWork({ service, database, url, teamId, report }: Parts): Promise<void> {
  const { pool } = database
  const { now } = service.clock
  const deriveSecret = secretDeriver(secretKey)
  const ports = { ...service, database, now, deriveSecret, retention, log: service.log }
  const background = createBackground({ ...ports, worker: randomUUID() })
  await background.run()
  const metrics = createMetrics({ readsDatabase: true })
  metrics.measure({ pool, isReady: () => Promise.resolve(true), readWebhookTotals: background.readWebhookTotals, now })
  await metrics.read()
  await background.close()

  await Promise.all([checkDatabase(pool), checkMigrations(pool), checkQueues(pool, [mailQueue])])
  const clock = await followDatabaseClock(pool, report)
  clock.close()
  await createKeyring({ database, now, deriveSecret }).current()

  const lastUsed = createLastUsed(database, now, report)
  lastUsed.record(randomUUID(), null)
  await lastUsed.close()
  const counts = createRequestCounts({ database, now, report, quota: 1000 })
  await counts.take(randomUUID())
  await counts.close()
  const failures = createFailureLog(database, now, report)
  failures.record(randomUUID(), { cause: 'pkce', sent: '' })
  await failures.close()
  const failedSignIns = createFailedSignInLog(database, now, report)
  failedSignIns.record({ account: { email: 'nobody@example.test' }, method: 'password', reason: 'wrong_password' })
  await failedSignIns.close()
  const deliveries = createDeliveryLog(database, report)
  deliveries.add(randomBytes(32), now())
  await deliveries.close()
  const changes = createTeamChanges({ database, intervalMilliseconds: 60_000, report })
  const watching = new AbortController()
  await changes.watchTeam(teamId, watching.signal)
  watching.abort()
  changes.close()

  const boss = await openMailQueue(url)
  await boss.supervise()
  await boss.fetch(mailQueue)
  await boss.stop()
}
