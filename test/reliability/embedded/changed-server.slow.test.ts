import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterFolder } from '../../../src/database/embedded/folder.ts'
import { startPostmaster } from '../../../src/database/embedded/postmaster.ts'
import { createUsedDataFolder, postgresPid } from '../../support/processes/data-folder.ts'
import { startDatabaseProcess } from '../../support/processes/database/start-database-process.ts'
import { isFull } from '../../support/service/full.ts'

let data: Awaited<ReturnType<typeof createUsedDataFolder>>

beforeEach(async () => {
  data = await createUsedDataFolder()
})

afterEach(async () => {
  await data.remove()
})

/** Starts a server with other settings and no sessions, as a killed service of another version leaves it. Returns its process ID. */
async function startAbandonedServer(): Promise<number | undefined> {
  const cluster = await clusterFolder(data.folder, { info: () => {}, warn: () => {} })
  expect(await startPostmaster(cluster, { listen_addresses: '', fsync: 'off' })).toBeUndefined()
  return postgresPid(data.folder)
}

test.runIf(isFull)('the service restarts an abandoned PostgreSQL server that has other settings', async () => {
  const before = await startAbandonedServer()
  const service = startDatabaseProcess('service', data.folder)
  await service.opened
  expect(postgresPid(data.folder)).not.toBe(before)
  expect(service.events[0]).toEqual({ info: 'restarting PostgreSQL: its version or settings have changed' })
  await service.stop()
})

test.runIf(isFull)('the service does not restart a PostgreSQL server that a command uses, and logs a warning', async () => {
  const before = await startAbandonedServer()
  const command = startDatabaseProcess('command', data.folder)
  await command.opened
  const service = startDatabaseProcess('service', data.folder)
  await service.opened
  expect(postgresPid(data.folder)).toBe(before)
  expect(service.events[0]?.warning).toBe('PostgreSQL keeps its previous settings or version until every process that uses it has ended')
  await command.stop()
  await service.stop()
  expect(postgresPid(data.folder)).toBeUndefined()
})
