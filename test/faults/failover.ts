import path from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { urlConnection, withSession } from '../../src/database/connection.ts'
import { readPostmasterFile } from '../../src/database/embedded/postmaster-file.ts'
import { applyMigrations } from '../../src/database/apply-migrations.ts'
import { createTeams, renameTeam, storedValues } from '../support/faults/changes.ts'
import { measureWrites, waitForAcknowledged, waitForRefused } from '../support/faults/fault.ts'
import type { Fault } from '../support/faults/fault.ts'
import { killTree } from '../support/faults/processes.ts'
import { startRestartable } from '../support/faults/restartable-service.ts'
import { createPostgresServer, createStandby } from '../support/postgres/server.ts'
import { createBalancer } from '../support/processes/balancer.ts'
import { reservePort } from '../support/processes/port.ts'
import { secretKey } from '../support/service/test-settings.ts'
import { waitFor } from '../support/service/wait.ts'

const quiet = { info() {}, warn() {} }

/** Starts a primary server and its standby. Clients and the standby connect through TCP proxies, which stand for virtual addresses. */
async function startClusters(isSynchronous: boolean) {
  const [address, replication] = [createBalancer(), createBalancer()]
  for (const balancer of [address, replication]) {
    await balancer.listen()
    onTestFinished(balancer.close)
  }
  const { port, release } = reservePort()
  release()
  const primary = await createPostgresServer()
  onTestFinished(primary.remove)
  await primary.start()
  await applyMigrations(urlConnection(primary.url), quiet)
  await primary.stop()
  const standby = createStandby({ ...primary, port: portOf(replication.origin) }, port)
  onTestFinished(standby.remove)
  address.targets[0] = primary.port
  replication.targets[0] = primary.port
  await primary.start()
  await standby.start()
  const onPrimary = (text: string) => withSession(urlConnection(primary.url), (session) => session.query(text))
  await waitFor(async () => (await onPrimary(`SELECT FROM pg_stat_replication WHERE state = 'streaming'`)).rowCount)
  if (isSynchronous) {
    await onPrimary(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await onPrimary('SELECT pg_reload_conf()')
    await waitFor(async () => (await onPrimary(`SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`)).rowCount)
  }
  return {
    url: `postgresql://postgres@127.0.0.1:${portOf(address.origin)}/postgres`,
    /** From now on the standby receives nothing. */
    async cutReplication() {
      replication.targets.length = 0
      await replication.disconnect()
    },
    async failOver() {
      killTree(readPostmasterFile(primary.cluster.data)?.pid ?? 0)
      await withSession(urlConnection(standby.url), (session) => session.query('SELECT pg_promote()'))
      address.targets[0] = standby.port
    },
  }
}

const portOf = (origin: string) => Number(new URL(origin).port)

/** The standby loses its connection to the primary first. From then on, synchronous replication acknowledges no change. */
export const failover: Fault = {
  name: 'The primary server is killed and its standby promoted',
  control: 'replication is asynchronous',
  async measure(isControl) {
    const clusters = await startClusters(!isControl)
    const connection = urlConnection(clusters.url)
    const service = await startRestartable({
      DATA_DIR: path.join(inject('runFolder'), `failover-${process.pid}`),
      DATABASE_URL: clusters.url,
      SECRET_KEY: secretKey,
    })
    return measureWrites({
      change: renameTeam(service.origin, await createTeams(connection)),
      async causeFault(load) {
        await clusters.cutReplication()
        await (isControl ? waitForAcknowledged(load) : waitForRefused(load))
        await clusters.failOver()
      },
      stored: async () => storedValues(connection),
    })
  },
}
