import { flushCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { readVersion } from '../config/version.ts'
import { isUnavailable } from '../../prisma/connection/availability.ts'
import { atPort } from '../config/settings.ts'
import type { Config } from '../config/settings.ts'
import { externalConnection } from '../database/external.ts'
import { untilAvailable } from '../database/until-available.ts'
import { createHealth } from '../http/health.ts'
import { createLog } from '../http/logging/log.ts'
import { listen } from '../http/server.ts'
import { connectToPrimary } from '../processes/primary-channel.ts'
import { limitStop, requestGraceSeconds } from '../processes/stop-limit.ts'
import { failureText } from './failure-text.ts'
import { createMetricsIfOn, openService } from './service.ts'

/** Time after a restart in which clients can use connections that were idle. The response to the next request then closes them. */
const idleSeconds = 5

/** Runs the service in a worker process until the primary process stops it. */
export async function runWorker(settings: Config): Promise<void> {
  const log = createLog(settings)
  const primary = connectToPrimary()
  let isRestart = false
  try {
    await using running = new AsyncDisposableStack()
    const { embedded, listensAtOnce, runsJobs, worker, port } = await primary.start
    const connection = embedded ?? externalConnection(settings)
    if (!connection) throw new Error('the primary process has not opened a database')
    const health = createHealth(settings.authUrl, await readVersion(), log)
    // The server listens only now, because otherwise the primary process would give it connections while other workers are ready.
    const early = listensAtOnce ? await listen(settings, health) : undefined
    if (early) running.defer(() => early.close(0))
    await primary.migrated
    const config = atPort(settings, early?.port ?? port ?? settings.port)
    const metrics = await createMetricsIfOn(settings, runsJobs)
    const service = running.use(await untilAvailable(() => openService({ config, connection, log, runsJobs, worker, metrics })))
    const server = early ?? (await listen(settings, health))
    running.defer(() => server.close(requestGraceSeconds, isRestart ? idleSeconds : undefined))
    running.defer(service.endStreams)
    server.serve(service.handler)
    health.started(service.checks)
    metrics?.measure({ ...service, isReady: health.isReady })
    const { hasMailbox, demo } = service
    primary.ready({ port: server.port, address: server.address, hasMailbox, demo })
    flushCompileCache()

    ;({ isRestart } = await primary.stop)
    if (!isRestart) {
      // Other workers are ready after a restart, so `/readyz` does not fail then.
      health.stopping()
      server.drain()
      await pause(settings.shutdownDelay * 1000)
    }
    limitStop(log)
  } catch (error) {
    if (primary.isReady()) throw error
    await primary.failed({ reason: failureText(error), isUnavailable: isUnavailable(error) })
    process.exitCode = 1
  }
}
