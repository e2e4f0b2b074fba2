import { randomUUID } from 'node:crypto'
import { flushCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { readVersion } from '../config/version.ts'
import { misspelledSettings } from '../config/misspelled-settings.ts'
import { atPort } from '../config/settings.ts'
import type { Config } from '../config/settings.ts'
import { applyMigrations } from '../database/apply-migrations.ts'
import { openDatabase } from '../database/open.ts'
import { untilAvailable } from '../database/until-available.ts'
import { greet } from '../demo/greeting.ts'
import { createHealth } from '../http/health.ts'
import { createLog } from '../http/logging/log.ts'
import { listen } from '../http/server.ts'
import { stopSignal } from '../http/stop-signal.ts'
import { serveMetrics } from '../metrics/metrics-server.ts'
import { limitStop, requestGraceSeconds } from '../processes/stop-limit.ts'
import { createMetricsIfOn, openService } from './service.ts'

/** Runs the service in this process until a stop signal. Closes the opened resources in reverse order, even if the start fails. */
export async function serve(settings: Config): Promise<void> {
  const log = createLog(settings)
  for (const line of misspelledSettings()) log.warn(line)
  const ended = Promise.withResolvers<NodeJS.Signals | Error>()
  // A terminal that is closed sends SIGHUP.
  void stopSignal('SIGINT', 'SIGTERM', 'SIGHUP').then(ended.resolve)

  await using running = new AsyncDisposableStack()
  // The database is opened before the port, so that a second service on the same data folder reports the first one and not a used port.
  const opened = await openDatabase(settings, 'service', log, { migrate: false, onEvicted: ended.resolve })
  running.defer(opened.close)
  const health = createHealth(settings.authUrl, await readVersion(), log)
  const server = await listen(settings, health)
  running.defer(() => server.close(0))
  const metrics = await createMetricsIfOn(settings, true)
  if (metrics) running.defer(await serveMetrics(settings, metrics.read, log))
  await untilAvailable(() => applyMigrations(opened.connection, log))
  const config = atPort(settings, server.port)
  const { connection } = opened
  const parts = { config, connection, log, runsJobs: true, worker: randomUUID(), metrics }
  const service = running.use(await untilAvailable(() => openService(parts)))
  running.defer(() => server.close(requestGraceSeconds))
  running.defer(service.endStreams)
  server.serve(service.handler)
  health.started(service.checks)
  metrics?.measure({ ...service, isReady: health.isReady })
  await opened.announce(server.address)
  greet(config, service)
  // The cache is written now and not at the exit, so that it survives a killed process. After the first start there is nothing to write.
  flushCompileCache()

  const reason = await ended.promise
  if (reason instanceof Error) throw reason
  log.info(`stopping on ${reason}`)
  health.stopping()
  server.drain()
  await pause(settings.shutdownDelay * 1000)
  limitStop(log)
}
