import { afterEach, beforeEach, expect, test } from 'vitest'
import { clusterFolder } from '../../src/database/cluster-folder.ts'
import { startPostmaster } from '../../src/database/postmaster.ts'
import { postgresPid, startProcess, temporaryFolder } from '../support/processes.ts'

let data: ReturnType<typeof temporaryFolder>

beforeEach(() => {
  data = temporaryFolder()
})

afterEach(async () => {
  await data.remove()
})

/** Leaves a server as a killed service of another version would have: other settings, and nobody in it. */
async function abandonedServer(): Promise<number | undefined> {
  const cluster = await clusterFolder(data.folder, { info: () => {}, warn: () => {} })
  expect(await startPostmaster(cluster, { listen_addresses: '', fsync: 'off' })).toBeUndefined()
  return postgresPid(data.folder)
}

test('a server with other settings is restarted by the service', async () => {
  const before = await abandonedServer()
  const service = startProcess('service', data.folder)
  await service.opened
  expect(postgresPid(data.folder)).not.toBe(before)
  expect(service.story[0]).toEqual({ info: 'restarting PostgreSQL: its version or settings have changed' })
  await service.stop()
})

test('one that a command is using is left to it, and the service says so', async () => {
  const before = await abandonedServer()
  const command = startProcess('command', data.folder)
  await command.opened
  const service = startProcess('service', data.folder)
  await service.opened
  expect(postgresPid(data.folder)).toBe(before)
  expect(service.story[0]?.warning).toBe('PostgreSQL has older settings or another version until all who use it have ended')
  await command.stop()
  await service.stop()
  expect(postgresPid(data.folder)).toBeUndefined()
})
