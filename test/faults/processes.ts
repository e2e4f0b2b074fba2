import pg from 'pg'
import { onTestFinished } from 'vitest'
import { withSession } from '../../src/database/connection.ts'
import { createTeams, renameTeam, storedValues } from '../support/faults/changes.ts'
import { embeddedDatabase } from '../support/faults/embedded-database.ts'
import { measureWrites, waitForAcknowledged } from '../support/faults/fault.ts'
import type { Fault } from '../support/faults/fault.ts'
import { startRestartable } from '../support/faults/restartable-service.ts'
import type { RestartableService } from '../support/faults/restartable-service.ts'
import { killTree, workersOf } from '../support/faults/processes.ts'
import type { WriteLoad } from '../support/faults/write-load.ts'
import { createUsedDataFolder, postgresPid } from '../support/processes/data-folder.ts'
import { holdLocks, lockWaiters } from '../support/processes/locks.ts'
import { waitFor } from '../support/service/wait.ts'

// The service has two workers and the embedded PostgreSQL. A process is killed or stopped while six clients rename a team.

/** The service under load, and its data folder. */
interface Running {
  service: RestartableService
  folder: string
  load: WriteLoad
}

async function measureService(countsEveryRequest: boolean, causeFault: (running: Running) => Promise<void>) {
  const data = await createUsedDataFolder()
  onTestFinished(data.remove)
  const { folder } = data
  const service = await startRestartable({ DATA_DIR: folder, WEB_CONCURRENCY: '2' })
  return measureWrites({
    change: renameTeam(service.origin, await createTeams(embeddedDatabase(folder))),
    countsEveryRequest,
    causeFault: (load) => causeFault({ service, folder, load }),
    stored: async () => storedValues(embeddedDatabase(folder)),
  })
}

const clientsCountEveryRequest = 'the clients count every request as acknowledged'

/** A worker is killed during requests, so its connections are lost. The other worker serves the next requests. */
const workerKilled: Fault = {
  name: 'A worker is killed',
  control: clientsCountEveryRequest,
  measure: (isControl) =>
    measureService(isControl, async ({ service, folder, load }) => {
      const pool = new pg.Pool(embeddedDatabase(folder))
      onTestFinished(() => pool.end())
      const { commit } = await holdLocks(pool, 'SELECT FROM teams FOR UPDATE')
      await waitFor(async () => (await lockWaiters(pool)) === 6)
      process.kill(workersOf(service.pid())[0] ?? 0, 'SIGKILL')
      await commit()
      await waitForAcknowledged(load, 300)
    }),
}

const restarted = (name: string, signal: NodeJS.Signals, answersAll: boolean): Fault => ({
  name,
  answersAll,
  control: clientsCountEveryRequest,
  measure: (isControl) => measureService(isControl, ({ service }) => restart(service, signal)),
})

async function restart(service: RestartableService, signal: NodeJS.Signals): Promise<void> {
  await service.stop(signal)
  await service.start()
}

/** Kills all processes of PostgreSQL, like a power failure, except that data in the cache of the operating system survives. */
const postgresKilled: Fault = {
  name: 'PostgreSQL is killed',
  control: 'PostgreSQL acknowledges changes before it stores them',
  measure: (isControl) =>
    measureService(false, async ({ service, folder, load }) => {
      if (isControl) {
        await withSession(embeddedDatabase(folder), async (session) => {
          await session.query('ALTER DATABASE team_account_service SET synchronous_commit = off')
          await session.query(`ALTER SYSTEM SET wal_writer_delay = '10s'`)
          await session.query('SELECT pg_reload_conf()')
        })
        // The settings apply to new sessions.
        await restart(service, 'SIGTERM')
        await waitForAcknowledged(load)
      }
      killTree(postgresPid(folder) ?? 0)
    }),
}

export const processFaults: Fault[] = [
  workerKilled,
  restarted('The service is killed', 'SIGKILL', false),
  restarted('The service is stopped', 'SIGTERM', true),
  postgresKilled,
]
