import { getErrorMessage } from '../config/error-message.ts'
import { misspelledSettings } from '../config/misspelled-settings.ts'
import { atPort } from '../config/settings.ts'
import type { Config } from '../config/settings.ts'
import { applyMigrations } from '../database/apply-migrations.ts'
import { withSession } from '../database/connection.ts'
import { openDatabase } from '../database/open.ts'
import { untilAvailable } from '../database/until-available.ts'
import { greet } from '../demo/greeting.ts'
import { createLog } from '../http/logging/log.ts'
import { stopSignal } from '../http/stop-signal.ts'
import { serveMetrics } from '../metrics/metrics-server.ts'
import { connectionWarning } from '../processes/connection-limit.ts'
import { stopSeconds } from '../processes/stop-limit.ts'
import { createWorkers } from '../processes/workers.ts'
import { abandonText } from '../webhooks/claim.ts'

/**
 * Runs the service in several worker processes until a stop signal. This process opens the resources that they share. It serves no requests
 * but distributes connections to the workers (docs/operations/processes.md).
 */
export async function runPrimary(settings: Config, count: number): Promise<void> {
  const log = createLog(settings)
  for (const line of misspelledSettings()) log.warn(line)
  const ended = Promise.withResolvers<NodeJS.Signals | Error>()
  void stopSignal('SIGINT', 'SIGTERM').then(ended.resolve)

  await using running = new AsyncDisposableStack()
  const opened = await openDatabase(settings, 'service', log, { migrate: false, onEvicted: ended.resolve })
  running.defer(opened.close)
  const { connection } = opened
  const reportLost = (error: unknown) => log.warn(`the webhooks of a worker that ended were not released: ${getErrorMessage(error)}`)
  const workers = createWorkers({
    count,
    embedded: settings.databaseUrl === undefined ? connection : null,
    log,
    stopSeconds: settings.shutdownDelay + stopSeconds,
    // If the database is unavailable, others continue when the claims of the worker end.
    onLost: (worker) => void withSession(connection, (session) => session.query(abandonText, [worker])).catch(reportLost),
    onFailure: ended.resolve,
  })
  running.defer(workers.stop)
  if (settings.metricsPort !== undefined) {
    const { readWorkers } = await import('../metrics/read-workers.ts')
    running.defer(await serveMetrics(settings, () => readWorkers(log), log))
  }
  let isReady = false
  // The signal is also handled during the start, because otherwise it would end the process.
  process.on('SIGHUP', () => isReady && void workers.restart())
  workers.startFirst()
  await untilAvailable(() => applyMigrations(connection, log))
  const warning = await untilAvailable(() => connectionWarning(connection, count, settings.databasePool))
  if (warning) log.warn(warning)
  const first = await Promise.race([workers.startAll(), ended.promise.then(() => null)])
  if (first) {
    isReady = true
    await opened.announce(first.address)
    greet(atPort(settings, first.port), first)
  }

  const reason = await ended.promise
  if (reason instanceof Error) throw reason
  log.info(`stopping on ${reason}`)
}
