import { randomUUID } from 'node:crypto'
import type { Express } from 'express'

import type { Logger } from 'pino'
import { openClient } from '../../prisma/connection/database.ts'
import type { ServicePool } from '../../prisma/connection/pool.ts'
import { createApp } from '../app.ts'
import { hasDevelopmentHelp } from '../config/development.ts'
import { createPorts } from '../config/ports.ts'
import { secretDeriver } from '../config/secret-key.ts'
import { environment } from '../config/settings.ts'
import type { Config } from '../config/settings.ts'
import { followDatabaseClock } from '../database/clock.ts'
import { poolConfigFor } from '../database/connection.ts'
import type { Connection } from '../database/connection.ts'
import { onFirstStart } from '../database/open.ts'
import { checkDatabase, checkMigrations } from '../database/readiness.ts'
import { serviceKey } from '../database/service-key.ts'
import { untilAvailable } from '../database/until-available.ts'
import type { Demo } from '../demo/demo.ts'
import { observeStatements } from '../http/logging/current-request.ts'
import type { ReadinessChecks } from '../http/health.ts'
import { createOutbox } from '../jobs/outbox.ts'
import { checkQueues } from '../jobs/queue.ts'
import { mailQueue } from '../mail/mail-records.ts'
import { createMailer } from '../mail/mailer.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createConfiguredRequests } from '../outgoing/outgoing-requests.ts'
import { createBackground } from './background.ts'
import { jobGraceSeconds } from '../processes/stop-limit.ts'
import { openTracer } from '../tracing/open-tracer.ts'
import { applyMetadataSetting } from '../../schema/oauth/metadata-clients/save-metadata-client.ts'
import type { WebhookTotals } from '../../schema/webhooks/lag.ts'

export interface ServiceParts {
  /** Configuration with the real port. */
  config: Config
  /** A migrated database. */
  connection: Connection
  log: Logger
  /** True if this process works on jobs. RUN_JOBS can turn this off for the host. */
  runsJobs: boolean
  /** Identifier of the process, new at each start. */
  worker: string
  /** The metrics; null without METRICS_PORT. */
  metrics: Metrics | null
}

/** The service without its port. Close it when no request is in progress. */
export interface Service extends AsyncDisposable {
  handler: Express
  pool: ServicePool
  checks: ReadinessChecks
  /** Ends the event streams. Call it after the process stops accepting connections. */
  endStreams(): void
  readWebhookTotals(): Partial<WebhookTotals>
  /** The clock of the database. */
  now(): Date
  hasMailbox: boolean
  /** The demo data, if this process has created it. */
  demo: Demo | undefined
}

/** Loads and creates the metrics of a process if METRICS_PORT is set. */
export const createMetricsIfOn = async ({ metricsPort }: Config, readsDatabase: boolean): Promise<Metrics | null> =>
  metricsPort === undefined ? null : (await import('../metrics/metrics.ts')).createMetrics({ readsDatabase })

/** Opens the service of one process. If a step fails, closes the opened resources in reverse order. */
export async function openService({ config: settings, connection, log, worker, metrics, ...parts }: ServiceParts): Promise<Service> {
  await using opening = new AsyncDisposableStack()
  const runsJobs = parts.runsJobs && settings.runJobs
  const config = { ...settings, secretKey: await serviceKey(settings, connection) }
  const tracer = await openTracer(environment(), log)
  opening.defer(async () => tracer?.close())
  const poolConfig = poolConfigFor(connection, 'service', config.databasePool)
  const database = openClient(poolConfig, {
    onStatement: observeStatements(tracer, metrics?.observeStatement),
    onPoolWait: metrics?.observePoolWait,
  })
  opening.defer(database.close)
  const reportClock = (error: unknown) => log.error({ err: error }, 'reading the clock of the database failed')
  const clock = await untilAvailable(() => followDatabaseClock(database.pool, reportClock))
  opening.defer(clock.close)
  const { now } = clock
  const deriveSecret = secretDeriver(config.secretKey, config.secretKeyPrevious)
  const outbox = createOutbox({ poolConfig, log })
  opening.defer(() => outbox.stop(jobGraceSeconds))
  const { sendMail, mailbox } = createMailer({ outbox, config, database, deriveSecret, log, now, tracer })
  await outbox.start({ runsJobs })
  const outgoing = createConfiguredRequests(config)
  opening.defer(outgoing.close)
  const app = createApp({
    config,
    database,
    log,
    sendMail,
    outgoing,
    mailbox,
    now,
    tracer,
    observeRequest: metrics?.observeRequest,
  })
  opening.defer(app.close)
  const background = createBackground({ worker, database, now, sendMail, outgoing, deriveSecret, retention: config, log })
  opening.defer(background.close)
  const ports = { ...createPorts({ config, database, now, sendMail, deriveSecret, outgoing }), browser: null, requestId: randomUUID() }
  // This module is loaded on demand, because the import that it uses is a tenth of the code.
  const createDemo = async () => (await import('../demo/demo.ts')).createDemo(poolConfig, ports)
  // A service that others can reach must not contain a demo team or print a token.
  const demo = hasDevelopmentHelp(config) ? await onFirstStart(connection, createDemo) : undefined
  await untilAvailable(() => applyMetadataSetting(database, config.clientMetadataDocuments))
  await untilAvailable(app.ready)
  if (runsJobs) background.start()
  const opened = opening.move()
  return {
    handler: app.handler,
    pool: database.pool,
    checks: {
      database: () => checkDatabase(database.pool),
      migrations: () => checkMigrations(database.pool),
      'signing-keys': app.ready,
      'job-queue': () => checkQueues(database.pool, [mailQueue]),
    },
    endStreams: app.endStreams,
    readWebhookTotals: background.readWebhookTotals,
    now,
    hasMailbox: mailbox !== undefined,
    demo,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
